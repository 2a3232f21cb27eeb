// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/reference/counting_scalar.h"
#include "core/kernels/weights.h"

#include <string>
#include <vector>

namespace flopsmith::reference {

inline std::string text(const Executed& e)
{
    return "mul " + digits(e.mul) + ", add " + digits(e.add) + ", div " + digits(e.div) + ", sqrt "
        + digits(e.sqrt) + ", exp " + digits(e.exp) + ", cmp " + digits(e.cmp) + ", fft "
        + digits(e.fft) + ", move " + digits(e.move);
}

/// What `run` executes on Counted.
template <class Run>
Executed executed(Run run)
{
    Executed counts;
    const CountingScope scope(counts);
    run();
    return counts;
}

} // namespace flopsmith::reference
