// SPDX-License-Identifier: MIT
#include "core/lab/progress/lab_progress.h"

namespace flopsmith {

double trainedShare(std::span<const RunUnderWay> runs)
{
    double sum = 0.0;
    for (const RunUnderWay& run : runs) {
        sum += run.steps > 0 ? static_cast<double>(run.step) / static_cast<double>(run.steps) : 0.0;
    }
    return sum;
}

} // namespace flopsmith
