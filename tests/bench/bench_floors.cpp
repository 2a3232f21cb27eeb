// SPDX-License-Identifier: GPL-3.0-or-later
// The cheap FFNs beside the floor that binds each of them, measured in the same run, and the forms
// of attention beside one another.
#include "core/base/text.h"
#include "core/ffn/ffn_variants.h"
#include "core/kernels/cpu/fft/fft_plan.h"
#include "core/kernels/cpu/peaks.h"
#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/measure/harness.h"
#include "core/mixer/cross_attention.h"
#include "core/mixer/latent_attention.h"
#include "tests/bench/tables/kernels.h"
#include "tests/bench/tables/peak.h"
#include "tests/bench/tables/report.h"

#include <algorithm>
#include <memory>

namespace flopsmith::bench {
namespace {

constexpr std::size_t kFirstLevelBytes = std::size_t{16} << 10;

// Seconds of what an FFN cannot do without, each measured by itself.
struct Floors
{
    double copy; ///< of the activations from x to y, at their size
    double transforms; ///< of every token there and back, one after the other in the cache
    double product; ///< per multiply-add, at the product peak
    double addition; ///< per addition of values from the first-level cache
    double tanh; ///< per value, of a row in the first-level cache
};

double secondsOf(const std::function<void()>& work, double budget)
{
    MeasureOptions options;
    options.budgetSeconds = budget;
    return measure(work, options, {}, {}).samples.median();
}

double transformSeconds(int dModel, double budget)
{
    const auto there =
        std::move(cpu::FftPlan::create(dModel, 1, cpu::FftDirection::forward)).value();
    const auto back =
        std::move(cpu::FftPlan::create(dModel, 1, cpu::FftDirection::inverse)).value();
    cpu::Buffer reals(static_cast<std::size_t>(dModel));
    cpu::Buffer spectrum(static_cast<std::size_t>(dModel) + 2);
    return secondsOf(
        [&] {
            there.forward(reals.data(), spectrum.data());
            back.inverse(spectrum.data(), reals.data());
        },
        budget);
}

double tanhSeconds(double budget)
{
    std::vector<float> row = randomActivations<float>(2048, 4);
    return secondsOf([&] { cpu::tanhRow(row.data(), row.size()); }, budget)
        / static_cast<double>(row.size());
}

double additionSeconds(cpu::Threads threads, double budget)
{
    auto sums = std::move(cpu::prepareAdditionPeak(kFirstLevelBytes, threads)).value();
    return medianSeconds(*sums.kernel, budget) / toDouble(sums.amount);
}

Floors measuredFloors(int dModel, int tokens, cpu::Threads threads, double budget)
{
    const std::size_t bytes =
        sizeof(float) * static_cast<std::size_t>(dModel) * static_cast<std::size_t>(tokens);
    auto copy = std::move(cpu::prepareCopyPeak(bytes, threads)).value();
    return {.copy = medianSeconds(*copy.kernel, budget),
            .transforms = tokens * transformSeconds(dModel, budget) / threads.count,
            .product = 2.0 / productPeak(threads, budget),
            .addition = additionSeconds(threads, budget),
            .tanh = tanhSeconds(budget) / threads.count};
}

struct Floor
{
    std::string what;
    double seconds;
};

// Additions of both projections, where nothing else is done.
double signedAdditions(const RandomProjectionFfn& ffn, int dModel)
{
    return static_cast<double>(dModel)
        * (static_cast<double>(ffn.features) / dModel * ffn.inputsPerFeature(dModel)
           + ffn.featuresPerOutput());
}

// What binds an FFN.
struct FloorOf
{
    const Floors& floors;
    const Case& each;
    RunSize run;
    int dModel = 0;

    double choice() const // reads every value once more, from the cache
    {
        return floors.copy + floors.addition * run.sequence * dModel;
    }
    Floor products() const
    {
        return {"product peak", floors.product * flops(each, run, dModel) / 2};
    }
    Floor operator()(const SpectralFfn&) const
    {
        return {"FFTW's transforms alone", floors.transforms};
    }
    Floor operator()(const ComposedFfn&) const
    {
        return {"FFTW's transforms alone", floors.transforms};
    }
    Floor operator()(const PolynomialFfn& ffn) const
    {
        return ffn.selection == ChannelSelection::fixed ? Floor{"copy of x to y", floors.copy}
                                                        : Floor{"copy, read to choose", choice()};
    }
    Floor operator()(const MicroRefineFfn& ffn) const
    {
        const double tanhs = floors.tanh * run.sequence * ffn.keptChannels(dModel);
        return ffn.selection == ChannelSelection::fixed
            ? Floor{"copy, tanh of the kept", floors.copy + tanhs}
            : Floor{"copy, read, tanh of kept", choice() + tanhs};
    }
    Floor operator()(const RandomProjectionFfn& ffn) const
    {
        return {"additions in cache",
                run.sequence * signedAdditions(ffn, dModel) * floors.addition};
    }
    template <class Other>
    Floor operator()(const Other&) const
    {
        return products();
    }
};

double kernelSeconds(const Case& each, const RunSize& run, int dModel, double budget)
{
    const auto weights = randomWeights<float>(weightShapes(each, dModel), 1);
    const RunOperands operands(each, run, dModel);
    const auto kernel = std::move(prepareKernel(each, run, dModel, weights, operands)).value();
    return medianSeconds(*kernel, budget);
}

// Every FFN of the other tables at T = 512.
void printFloors(int dModel, cpu::Threads threads, const Options& options, Report& report)
{
    const int tokens = options.quick ? 128 : 512;
    const Floors floors = measuredFloors(dModel, tokens, threads, options.seconds);
    report.table("floors_d" + std::to_string(dModel) + "_t" + std::to_string(threads.count),
                 "What binds each: d = " + std::to_string(dModel) + ", T = "
                     + std::to_string(tokens) + ", threads = " + std::to_string(threads.count),
                 {{"operation", "FFN", Figure::text},
                  {"floor_seconds", "floor", Figure::seconds},
                  {"seconds", "median", Figure::seconds},
                  {"median_over_floor", "ratio", Figure::ratio},
                  {"floor", "  floor", Figure::text}});
    for (const Case& each : cases(dModel)) {
        const auto* ffn = std::get_if<FfnSpec>(&each.what);
        if (ffn == nullptr || each.name.find(options.only) == std::string::npos) {
            continue;
        }
        const RunSize run{.sequence = tokens, .context = tokens, .threads = threads.count};
        const Floor floor = visit(FloorOf{floors, each, run, dModel}, *ffn);
        const double seconds = kernelSeconds(each, run, dModel, options.seconds);
        report.row({each.name, floor.seconds, seconds, seconds / floor.seconds, "  " + floor.what});
    }
}

std::vector<Case> attentions()
{
    Attention materialised;
    materialised.algorithm = AttentionAlgorithm::materialised;
    Attention grouped;
    grouped.kvHeads = 3;
    const LatentAttention latent{
        .heads = 12, .kvLoraRank = 256, .qkNopeDim = 64, .qkRopeDim = 32, .vHeadDim = 64};
    LatentAttention wideCache = latent;
    wideCache.cache = LatentCache::keysAndValues;
    LatentAttention absorbed = latent;
    absorbed.form = LatentForm::absorbed;
    const auto mixer = [](const char* name, MixerSpec spec) {
        return Case{name, std::move(spec), Kind::product};
    };
    return {mixer("attention, flash", Attention{}),
            mixer("attention, materialised", materialised),
            mixer("attention, 3 key heads", grouped),
            mixer("latent attention, expanded", latent),
            mixer("latent attention, wide cache", wideCache),
            mixer("latent attention, absorbed", absorbed),
            mixer("cross attention", CrossAttention{.heads = 12, .kvHeads = 12})};
}

// Prefill, a step of decoding, and one backward pass: the longer ones take seconds each.
std::vector<RunSize> attentionRuns(int threads, bool quick)
{
    std::vector<RunSize> runs;
    for (const auto& [sequence, context] :
         {std::pair{128, 128}, std::pair{512, 512}, std::pair{2048, 2048}, std::pair{1, 4096}}) {
        if (!quick || sequence != 2048) {
            runs.push_back({.sequence = sequence, .context = context, .threads = threads});
        }
    }
    runs.push_back({.sequence = 512, .context = 512, .threads = threads, .backward = true});
    return runs;
}

void printAttention(cpu::Threads threads, const Options& options, Report& report)
{
    constexpr int kWidth = 768;
    const double peak = productPeak(threads, options.seconds);
    report.table("attention_t" + std::to_string(threads.count),
                 "Forms of attention: d = 768, 12 heads, threads = "
                     + std::to_string(threads.count),
                 {{"operation", "form", Figure::text},
                  {"pass", "pass", Figure::text},
                  {"tokens", "S", Figure::whole},
                  {"context", "C", Figure::whole},
                  {"seconds", "median", Figure::seconds},
                  {"flops_per_second", "FLOP", Figure::perSecond},
                  {"share_of_peak", "of peak", Figure::percent}});
    for (const Case& each : attentions()) {
        if (each.name.find(options.only) == std::string::npos) {
            continue;
        }
        for (const RunSize& run : attentionRuns(threads.count, options.quick)) {
            const double seconds = kernelSeconds(each, run, kWidth, options.seconds);
            const double rate = flops(each, run, kWidth) / seconds;
            report.row({each.name,
                        run.backward ? "backward" : "forward",
                        std::int64_t{run.sequence},
                        std::int64_t{run.context},
                        seconds,
                        rate,
                        rate / peak});
        }
    }
}

void run(const Options& options, Report& report)
{
    for (const int threads : options.threadCounts()) {
        for (const int dModel : {768, 4096}) {
            printFloors(dModel, {threads}, options, report);
        }
        printAttention({threads}, options, report);
    }
}

} // namespace
} // namespace flopsmith::bench

int main(int count, char** arguments)
{
    return flopsmith::bench::benchMain(count, arguments, "floors", flopsmith::bench::run);
}
