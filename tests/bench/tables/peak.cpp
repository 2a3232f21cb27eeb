// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/tables/peak.h"

#include "core/kernels/cpu/peaks.h"
#include "core/measure/harness.h"
#include "tests/bench/tables/alternation.h"

#include <algorithm>

namespace flopsmith::bench {
namespace {

// As the kernels beside it are timed: processor time on one thread, wall time on several.
double leastSeconds(Kernel& kernel, cpu::Threads threads, double budgetSeconds)
{
    const auto pair = alternate(kernel, nullptr, {}, budgetSeconds);
    return threads.count == 1 ? pair->ours.processor.min() : pair->ours.wall.min();
}

} // namespace

double medianSeconds(Kernel& kernel, double budgetSeconds)
{
    MeasureOptions options;
    options.budgetSeconds = budgetSeconds;
    return measure([&] { kernel.run(); }, options, {}, {}).samples.median();
}

double productPeak(cpu::Threads threads, double budgetSeconds, cpu::Precision precision)
{
    double best = 0;
    for (const int n : {1024, 2048}) {
        auto peaks = std::move(cpu::prepareProductPeaks(n, threads, precision)).value();
        for (cpu::PeakKernel& peak : peaks) {
            best = std::max(best,
                            toDouble(peak.amount)
                                / leastSeconds(*peak.kernel, threads, 5 * budgetSeconds));
        }
    }
    return best;
}

double copyPeak(cpu::Threads threads, double budgetSeconds)
{
    auto copy = std::move(cpu::prepareCopyPeak(std::size_t{512} << 20, threads)).value();
    return toDouble(copy.amount) / leastSeconds(*copy.kernel, threads, 5 * budgetSeconds);
}

} // namespace flopsmith::bench
