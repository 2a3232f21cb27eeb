// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/clock.h"

namespace flopsmith {

/// Time that passes only when a test says so.
class FakeClock
{
public:
    void advance(double seconds) { m_now += seconds; }
    double now() const { return m_now; }

    /// Reads this object, which must outlive it.
    Clock clock() const
    {
        return [this] { return m_now; };
    }

private:
    double m_now = 0.0;
};

} // namespace flopsmith
