// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lecture/played_file.h"

#include "ui/jobs/lesson_judging.h"
#include "ui/lessons/lesson_panel.h"

#include <utility>

namespace flopsmith::ui {
namespace {

// The first problem, and how many more there are.
QString problemText(const LessonJudgement& judgement)
{
    if (judgement.problems.empty()) {
        return {};
    }
    const QString first = QString::fromStdString(judgement.problems.front().text());
    const auto more = static_cast<int>(judgement.problems.size()) - 1;
    return more == 0 ? first : PlayedFile::tr("%1 (and %n more)", nullptr, more).arg(first);
}

} // namespace

PlayedFile::PlayedFile(const QString& path, LessonPanel& panel, LessonJudging& judging)
    : m_file(path)
    , m_panel(panel)
    , m_judging(judging)
{
    connect(&m_file, &LessonFile::changed, this, &PlayedFile::play);
    connect(&judging, &LessonJudging::judged, this, [this](const LessonJudgement& judgement) {
        m_panel.showFileProblem(problemText(judgement));
    });
    judge();
}

void PlayedFile::play()
{
    const Result<Lesson> lesson = m_file.read();
    Result<LessonPlay> play = lesson ? LessonPlay::started(*lesson, m_panel.play().language())
                                     : Result<LessonPlay>(lesson.error());
    if (!play) {
        m_panel.showFileProblem(QString::fromStdString(play.error().message));
        return;
    }
    m_panel.showFileProblem({});
    m_panel.setPlay(std::move(play).value());
    judge();
}

void PlayedFile::judge()
{
    m_judging.judge(m_panel.play());
}

} // namespace flopsmith::ui

#include "moc_played_file.cpp"
