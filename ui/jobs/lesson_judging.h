// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/teach/author/lesson_check.h"

#include <QObject>

#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace flopsmith::ui {

/// What is known of a lesson after its check.
struct LessonJudgement
{
    std::vector<LessonProblem> problems{};
    /// The value of the answer of the step that was asked about; nothing if it asks nothing.
    std::optional<Result<std::string>> answer{};
};

/// Checks lessons on a thread of its own, so that the window goes on. Of lessons that come while one
/// is checked, only the newest is checked next.
class LessonJudging : public QObject
{
    Q_OBJECT

public:
    explicit LessonJudging(QObject* parent = nullptr);
    ~LessonJudging() override;

    /// judged() follows, unless another lesson comes before. `step` counts from 0; -1: none.
    void judge(const Lesson& lesson, int step = -1);
    bool isRunning() const { return !m_threads.empty(); }

Q_SIGNALS:
    void judged(const flopsmith::ui::LessonJudgement& judgement);

private:
    struct Task
    {
        Lesson lesson;
        int step = -1;
    };

    void start(const Task& task);
    void report(const LessonJudgement& judgement);

    std::optional<Task> m_next;
    std::vector<std::jthread> m_threads; ///< one at most; last, because it reports to the others
};

} // namespace flopsmith::ui
