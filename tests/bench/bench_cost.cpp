// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/ffn/gated.h"
#include "core/measure/harness.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"
#include "core/study/sweep/sweep.h"
#include "core/study/variation/axis_text.h"
#include "tests/bench/tables/report.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <limits>
#include <string>

// What the analytic half of the program costs in time: the whole cost tree of a model, and
// points of a sweep per second. Budgets: 100 µs for a 126-layer model, 200,000 points a second on
// two cores, which is 100,000 per second of a processor.
namespace flopsmith::bench {
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
            get<GatedFfn>(each.block.ffn).dFf = width++;
        }
    }
    return scenario;
}

constexpr double kTreeBudget = 100e-6; // seconds
constexpr double kPointsBudget = 200'000; // a second, on two cores

void printTree(Report& report, const char* title, const Scenario& scenario)
{
    const Seconds taken = timed([&] { sink = toDouble(costTree(scenario).total().count.mac); });
    report.row({title, taken.clock, taken.processor, kTreeBudget, kTreeBudget / taken.clock});
}

void printSweep(Report& report,
                const char* title,
                const Scenario& base,
                const std::string& axis,
                int workers)
{
    const Result<Axis> parsed = parsedAxis(axis, base);
    if (!parsed) {
        report.note(std::string(title) + ": " + parsed.error().message);
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
    const double rate = number / taken.clock;
    report.row({title,
                std::int64_t{workers},
                rate,
                number / taken.processor,
                kPointsBudget,
                rate / kPointsBudget});
}

void run(const Options& /*options*/, Report& report)
{
    const Scenario gpt2{*presetNamed("gpt2-half-swapped"), {}};
    report.table("cost_tree",
                 "Analytic cost of a model (ratio: budget over median)",
                 {{"model", "cost tree of", Figure::text},
                  {"seconds", "median", Figure::seconds},
                  {"processor_seconds", "of a processor", Figure::seconds},
                  {"budget_seconds", "budget", Figure::seconds},
                  {"budget_over_median", "ratio", Figure::ratio}});
    printTree(report, "GPT-2 small, half swapped", gpt2);
    printTree(report, "126 equal Llama blocks", deepModel(false));
    printTree(report, "126 different Llama blocks", deepModel(true));
    report.table("sweep",
                 "Sweeps of GPT-2 small, half swapped (ratio: points over budget)",
                 {{"axis", "axis", Figure::text},
                  {"threads", "threads", Figure::whole},
                  {"points_per_second", "points", Figure::perSecond},
                  {"points_per_processor_second", "per processor", Figure::perSecond},
                  {"budget_points_per_second", "budget", Figure::perSecond},
                  {"points_over_budget", "ratio", Figure::ratio}});
    for (const int workers : {1, 2}) {
        printSweep(report, "seq, 8192 values", gpt2, "seq=1..8192:step 1", workers);
        printSweep(report, "k_freq, 385 values", gpt2, "k_freq=1..385:step 1", workers);
        printSweep(report, "d_model, 5377 values", gpt2, "d_model=768..65280:step 12", workers);
    }
}

} // namespace
} // namespace flopsmith::bench

int main(int count, char** arguments)
{
    return flopsmith::bench::benchMain(count, arguments, "cost", flopsmith::bench::run);
}
