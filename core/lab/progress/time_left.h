// SPDX-License-Identifier: MIT
#pragma once

#include "core/lab/progress/next_run.h"

#include <optional>

namespace flopsmith {

/// Estimates how long a lab still takes from the runs trained since the first update.
class TimeLeft
{
public:
    /// `now` in seconds of any clock, `begun`: runs under way, in runs. While nothing was trained, or
    /// between pause() and the next look, no time is counted.
    void look(double now, const LabProgressCount& runs, double begun);
    void pause() { m_last.reset(); }

    /// Seconds; nothing before a hundredth of a run was trained.
    std::optional<double> seconds() const;

private:
    std::optional<double> m_last; ///< time of the last look
    std::optional<double> m_first; ///< runs that were done when it began
    double m_trained = 0.0; ///< runs since
    double m_missing = 0.0; ///< runs
    double m_spent = 0.0; ///< seconds
};

} // namespace flopsmith
