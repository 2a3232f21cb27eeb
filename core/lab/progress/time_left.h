// SPDX-License-Identifier: MIT
#pragma once

#include "core/lab/progress/next_run.h"

#include <optional>

namespace flopsmith {

/// Estimates how long a lab still takes from the runs trained since the first update.
class TimeLeft
{
public:
    /// `enough`: runs that have to be trained before there is an estimate.
    explicit TimeLeft(double enough = 0.01)
        : m_enough(enough)
    {}

    /// `now` in seconds of any clock, `begun`: runs under way, in runs. While nothing was trained, or
    /// between pause() and the next update, no time is counted.
    void update(double now, const LabProgressCount& runs, double begun);
    void pause() { m_last.reset(); }

    /// Seconds; nothing before enough was trained.
    std::optional<double> seconds() const;

private:
    double m_enough;
    std::optional<double> m_last; ///< time of the last update
    std::optional<double> m_first; ///< runs that were done when it began
    double m_trained = 0.0; ///< runs since
    double m_missing = 0.0; ///< runs
    double m_spent = 0.0; ///< seconds
};

} // namespace flopsmith
