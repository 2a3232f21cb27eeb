// SPDX-License-Identifier: MIT
#include "core/lab/progress/time_left.h"

#include <algorithm>

namespace flopsmith {

void TimeLeft::update(double now, const LabProgressCount& runs, double begun)
{
    const double done = static_cast<double>(runs.done) + begun;
    m_first = m_first.value_or(done);
    m_spent += m_last ? std::max(0.0, now - *m_last) : 0.0;
    m_last = now;
    m_trained = done - *m_first;
    m_missing = std::max(0.0, static_cast<double>(runs.planned) - done);
}

std::optional<double> TimeLeft::seconds() const
{
    const bool isEnough = m_trained > 0.0 && m_trained >= m_enough;
    return isEnough ? std::optional(m_spent / m_trained * m_missing) : std::nullopt;
}

} // namespace flopsmith
