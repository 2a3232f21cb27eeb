// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/teach/author/lesson_check.h"
#include "core/teach/play/lesson_play.h"

#include <QObject>

#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace flopsmith::ui {

/// The result of a lesson's check.
struct LessonJudgement
{
    std::vector<LessonProblem> problems{};
    /// The value of the requested step's answer; empty if it has no question.
    std::optional<Result<std::string>> answer{};
};

/// Checks lessons on a thread of its own, so that the window stays responsive. Only the newest of
/// the lessons that arrive meanwhile is next.
class LessonJudging : public QObject
{
    Q_OBJECT

public:
    explicit LessonJudging(QObject* parent = nullptr);
    ~LessonJudging() override;

    /// judged() follows, unless another lesson comes before. `step` counts from 0; -1: none.
    void judge(const Lesson& lesson, int step = -1);

    /// Of a lesson that is played, whose views are known.
    void judge(const LessonPlay& play);
    bool isRunning() const { return !m_threads.empty(); }

Q_SIGNALS:
    void judged(const flopsmith::ui::LessonJudgement& judgement);

private:
    struct Task
    {
        Lesson lesson;
        int step = -1;
        std::optional<ShownViews> views{}; ///< none: they are computed
    };

    static LessonJudgement judgementOf(const Task& task, const std::stop_token& stop);
    void take(Task task);
    void start(const Task& task);
    void report(const LessonJudgement& judgement);

    std::optional<Task> m_next;
    std::vector<std::jthread> m_threads; ///< one at most; last, because it reports to the others
};

} // namespace flopsmith::ui
