// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/measure/harness.h"
#include "core/model/model_cost.h"
#include "core/model/parameter_table.h"
#include "core/model/presets.h"
#include "core/study/axis_text.h"
#include "core/study/sweep.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <limits>
#include <string>

// Prints what the analytic half of the program costs in time: the whole cost tree of a model, and
// points of a sweep per second. Budgets: 100 µs for a 126-layer model, 200,000 points a second on
// two cores, which is 100,000 per second of a processor.
namespace flopsmith {
namespace {

volatile double sink = 0; // keeps the work from being optimised away

double processorSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// What one run takes: by the clock (median), and of the processors, whatever else they do (least).
struct Seconds
{
    double clock = 0;
    double processor = 0;
};

Seconds timed(const std::function<void()>& run)
{
    constexpr int kRuns = 32; // the processor's clock is too coarse and too slow for one short run
    const double clock = measure(run, {.budgetSeconds = 0.5}, {}, {}).samples.median();
    const int runs = clock < 1e-3 ? kRuns : 1;
    double least = std::numeric_limits<double>::infinity();
    for (double left = 0.5; left > 0;) {
        const double start = processorSeconds();
        for (int i = 0; i < runs; ++i) {
            run();
        }
        const double taken = processorSeconds() - start;
        least = std::min(least, taken / runs);
        left -= taken;
    }
    return {clock, least};
}

// Llama's block 126 times; `distinct` makes every block a run of its own.
Scenario deepModel(bool distinct)
{
    Scenario scenario{*presetNamed("llama-3-8b"), {}};
    scenario.model.runs.front().repeat = 126;
    if (distinct) {
        const BlockRun run{scenario.model.runs.front().block, 1};
        scenario.model.runs.assign(126, run);
        int width = 10'000;
        for (BlockRun& each : scenario.model.runs) {
            std::get<GatedFfn>(each.block.ffn).dFf = width++;
        }
    }
    return scenario;
}

void printTree(const char* title, const Scenario& scenario)
{
    const Seconds taken = timed([&] { sink = toDouble(costTree(scenario).total().count.mac); });
    std::printf("  %-46s %10s by the clock, %10s of a processor\n",
                title,
                durationText(taken.clock).c_str(),
                durationText(taken.processor).c_str());
}

void printSweep(const char* title, const Scenario& base, const std::string& axis, int workers)
{
    const Result<Axis> parsed = parsedAxis(axis, base);
    if (!parsed) {
        std::printf("  %s: %s\n", title, parsed.error().message.c_str());
        return;
    }
    const SweepPlan plan{.base = base, .axes = {*parsed}, .metrics = {MetricId::flops}};
    std::size_t points = 0;
    const Seconds taken = timed([&] {
        points = 0;
        const auto end = sweep(
            plan,
            [&](const SweepPoint& point) { points += point.possible() ? 1 : 0; },
            {},
            workers);
        sink = end.ok() ? 1 : 0;
    });
    const auto number = static_cast<double>(points);
    std::printf("  %-46s %8s points/s, %s per second of a processor, %d thread%s\n",
                title,
                siText(number / taken.clock).c_str(),
                siText(number / taken.processor).c_str(),
                workers,
                workers == 1 ? "" : "s");
}

} // namespace
} // namespace flopsmith

int main()
{
    using namespace flopsmith;
    const Scenario gpt2{*presetNamed("gpt2-half-swapped"), {}};
    std::printf("Analytic cost, medians\n");
    printTree("GPT-2 small, half swapped: cost tree", gpt2);
    printTree("126 equal Llama blocks: cost tree", deepModel(false));
    printTree("126 different Llama blocks: cost tree", deepModel(true));
    for (const int workers : {1, 2}) {
        printSweep(
            "sweep of half-swapped GPT-2 over seq, 8192", gpt2, "seq=1..8192:step 1", workers);
        printSweep(
            "sweep of half-swapped GPT-2 over k_freq", gpt2, "k_freq=1..385:step 1", workers);
        printSweep("sweep of half-swapped GPT-2 over d_model",
                   gpt2,
                   "d_model=768..65280:step 12",
                   workers);
    }
    return 0;
}
