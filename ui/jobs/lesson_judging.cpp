// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/lesson_judging.h"

#include "core/base/threads.h"
#include "core/teach/author/lesson_editing.h"

#include <QMetaObject>

#include <utility>

namespace flopsmith::ui {
LessonJudging::LessonJudging(QObject* parent)
    : QObject(parent)
{}

LessonJudging::~LessonJudging()
{
    for (std::jthread& thread : m_threads) {
        thread.request_stop();
    }
    m_threads.clear();
}

LessonJudgement LessonJudging::judgementOf(const Task& task, const std::stop_token& stop)
{
    LessonJudgement judgement;
    const Lesson& lesson = task.lesson;
    const ShownViews views = task.views ? *task.views : shownViews(lesson);
    const bool isThere = task.step >= 0 && task.step < static_cast<int>(lesson.steps.size());
    if (isThere && lesson.steps[static_cast<std::size_t>(task.step)].ask() != nullptr) {
        judgement.answer = answerText(lesson, views, task.step);
    }
    judgement.problems = draftProblems(lesson, views, stop);
    return judgement;
}

void LessonJudging::judge(const Lesson& lesson, int step)
{
    take({.lesson = lesson, .step = step});
}

void LessonJudging::judge(const LessonPlay& play)
{
    take({.lesson = play.lesson(), .views = play.views()});
}

void LessonJudging::take(Task task)
{
    if (!isRunning()) {
        start(task);
        return;
    }
    m_next = std::move(task);
    m_threads.front().request_stop();
}

void LessonJudging::start(const Task& task)
{
    const auto work = [this, task](const std::stop_token& stop) {
        const LessonJudgement judgement = judgementOf(task, stop);
        QMetaObject::invokeMethod(
            this, [this, judgement] { report(judgement); }, Qt::QueuedConnection);
    };
    if (const Status started = startThread(m_threads, work); !started) {
        Q_EMIT judged({.problems = {{.sentence = started.error().message}}});
    }
}

void LessonJudging::report(const LessonJudgement& judgement)
{
    m_threads.clear();
    if (m_next) {
        const Task task = *std::exchange(m_next, std::nullopt);
        start(task);
        return;
    }
    Q_EMIT judged(judgement);
}

} // namespace flopsmith::ui

#include "moc_lesson_judging.cpp"
