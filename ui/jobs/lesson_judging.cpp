// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/lesson_judging.h"

#include "core/base/threads.h"
#include "core/teach/author/lesson_editing.h"

#include <QMetaObject>

#include <utility>

namespace flopsmith::ui {
namespace {

LessonJudgement judgementOf(const Lesson& lesson, int step, const std::stop_token& stop)
{
    LessonJudgement judgement;
    const bool isThere = step >= 0 && step < static_cast<int>(lesson.steps.size());
    if (isThere && lesson.steps[static_cast<std::size_t>(step)].ask() != nullptr) {
        judgement.answer = answerText(lesson, step);
    }
    judgement.problems = draftProblems(lesson, stop);
    return judgement;
}

} // namespace

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

void LessonJudging::judge(const Lesson& lesson, int step)
{
    if (!isRunning()) {
        start({lesson, step});
        return;
    }
    m_next = Task{lesson, step};
    m_threads.front().request_stop();
}

void LessonJudging::start(const Task& task)
{
    const auto work = [this, task](const std::stop_token& stop) {
        const LessonJudgement judgement = judgementOf(task.lesson, task.step, stop);
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
