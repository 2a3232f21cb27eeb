// SPDX-License-Identifier: GPL-3.0-or-later
// Run times of the CPU kernels: each FFN variant beside the dense FFN of the same width, and the
// dense FFN beside the fastest product that the machine's libraries manage.
//   bench_kernels [seconds per figure, 0.5] [largest d_model, 4096] [largest T, 2048]
#include "core/base/text.h"
#include "core/count/cost_tree.h"
#include "core/kernels/cpu/activation.h"
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/ffn.h"
#include "core/kernels/cpu/fft_plan.h"
#include "core/kernels/cpu/libraries.h"
#include "core/kernels/cpu/mixer.h"
#include "core/kernels/cpu/peaks.h"
#include "core/kernels/mixer_operands.h"
#include "core/measure/harness.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace flopsmith {
namespace {

struct Options
{
    double seconds = 0.5;
    int largestWidth = 4096;
    int largestTokens = 2048;
};

double medianSeconds(Kernel& kernel, double budget)
{
    MeasureOptions options;
    options.budgetSeconds = budget;
    return measure([&] { kernel.run(); }, options, {}, {}).samples.median();
}

struct Contender
{
    const char* name;
    FfnSpec spec;
};

SpectralFfn spectral(BinSelection selection, SpectralAlgorithm algorithm)
{
    SpectralFfn ffn;
    ffn.selection = selection;
    ffn.algorithm = algorithm;
    return ffn;
}

PolynomialFfn polynomial(ChannelSelection selection, CoefficientSharing coefficients)
{
    PolynomialFfn ffn;
    ffn.selection = selection;
    ffn.coefficients = coefficients;
    return ffn;
}

TokenFeedbackFfn feedbackOfPrevious(int dModel)
{
    return {.rank = dModel / 6, .window = FeatureWindow::topK, .feedback = Feedback::previousToken};
}

KroneckerFfn kronecker(int dModel, int rank)
{
    return {.dFf = 4 * dModel,
            .d1 = nearRootDivisor(dModel),
            .f1 = nearRootDivisor(4 * dModel),
            .rank = rank};
}

std::vector<Contender> contenders(int dModel)
{
    MicroRefineFfn fixedRefine;
    fixedRefine.selection = ChannelSelection::fixed;
    return {
        {"dense f = 4d", DenseFfn{.dFf = 4 * dModel}},
        {"gated f = 8d/3", GatedFfn{.dFf = 8 * dModel / 3 / 64 * 64}},
        {"moe 2 of 8, f = d/2", MoeFfn{.dFf = dModel / 2}},
        {"moe 2 of 8, skewed", MoeFfn{.dFf = dModel / 2, .skew = 2.0}},
        {"moe 8 of 64, f = d/8", MoeFfn{.experts = 64, .perToken = 8, .dFf = dModel / 8}},
        {"spectral low_pass, fft", spectral(BinSelection::lowPass, SpectralAlgorithm::fft)},
        {"spectral low_pass, direct", spectral(BinSelection::lowPass, SpectralAlgorithm::direct)},
        {"spectral top_k", spectral(BinSelection::topK, SpectralAlgorithm::fft)},
        {"polynomial static", polynomial(ChannelSelection::fixed, CoefficientSharing::shared)},
        {"polynomial top_k", polynomial(ChannelSelection::topK, CoefficientSharing::perChannel)},
        {"micro_refine static", fixedRefine},
        {"micro_refine top_k", MicroRefineFfn{}},
        {"random projection, 10 %", RandomProjectionFfn{.features = 4 * dModel}},
        {"random projection, 1 %", RandomProjectionFfn{.features = 4 * dModel, .density = 0.01}},
        {"Kronecker, rank 1", kronecker(dModel, 1)},
        {"Kronecker, rank 4", kronecker(dModel, 4)},
        {"low rank, r = d/8", LowRankFfn{.dFf = 4 * dModel, .rank = dModel / 8}},
        {"token feedback", TokenFeedbackFfn{.rank = dModel / 6}},
        {"token feedback, previous", feedbackOfPrevious(dModel)},
        {"UltraEfficientSparseFFN", ultraEfficientSparseFfn()},
    };
}

template <class Spec>
double flops(const Spec& spec, const Shape& shape)
{
    const Numbers<Count> numbers;
    const Pass<Count> pass{.numbers = numbers,
                           .batch = shape.batch,
                           .sequence = shape.sequence,
                           .context = shape.context,
                           .dModel = shape.dModel,
                           .dModelValue = shape.dModel,
                           .sequenceValue = shape.sequence,
                           .contextValue = shape.context};
    CostTree<Count> tree;
    {
        const auto root = tree.group("all", kNormComponent);
        addCost(spec, pass, tree);
    }
    const OpCount<Count> c = tree.total().count;
    return toDouble(2 * c.mac + c.mul + c.add + c.div + c.sqrt + c.exp + c.cmp + c.fft);
}

double productPeak(cpu::Threads threads, double budget)
{
    double best = 0;
    for (const int n : {1024, 2048}) {
        auto peaks = std::move(cpu::prepareProductPeaks(n, threads)).value();
        for (cpu::PeakKernel& peak : peaks) {
            best = std::max(best, toDouble(peak.amount) / medianSeconds(*peak.kernel, budget));
        }
    }
    return best;
}

// A line per contender and number of tokens; the dense FFN comes first.
void printWidth(int dModel, cpu::Threads threads, double peak, const Options& options)
{
    std::printf("\nd = %d, %d thread(s)\n%-28s%8s%14s%14s%12s%10s\n",
                dModel,
                threads.count,
                "FFN",
                "T",
                "median",
                "FLOP/s",
                "dense/this",
                "of peak");
    std::vector<std::pair<int, double>> denseSeconds;
    for (const Contender& contender : contenders(dModel)) {
        const auto weights = randomWeights<float>(flopsmith::weights(contender.spec, dModel), 1);
        std::size_t line = 0;
        for (const int tokens : {1, 128, 512, 2048}) {
            if (tokens > options.largestTokens) {
                continue;
            }
            const Shape shape{.batch = 1, .sequence = tokens, .context = tokens, .dModel = dModel};
            const auto x = randomActivations<float>(shape.activations(), 2);
            const auto kernel =
                std::move(cpu::prepare(contender.spec, shape, weights, x, threads)).value();
            const double seconds = medianSeconds(*kernel, options.seconds);
            if (std::holds_alternative<DenseFfn>(contender.spec)) {
                denseSeconds.emplace_back(tokens, seconds);
            }
            const double rate = flops(contender.spec, shape) / seconds;
            std::printf("%-28s%8d%14s%14s%12.1f%9.0f%%\n",
                        contender.name,
                        tokens,
                        durationText(seconds).c_str(),
                        siText(rate).c_str(),
                        denseSeconds[line].second / seconds,
                        100 * rate / peak);
            ++line;
        }
    }
}

// Random projections have nothing but sums: beside them stands what as many additions cost where
// the terms lie in the first-level cache.
void printSums(int dModel, cpu::Threads threads, const Options& options)
{
    constexpr std::size_t kFirstLevelBytes = std::size_t{16} << 10;
    auto peak = std::move(cpu::prepareAdditionPeak(kFirstLevelBytes, threads)).value();
    std::printf("\nrandom projection, d = %d, m = 4d\n%-12s%8s%14s%16s%10s\n",
                dModel,
                "density",
                "T",
                "median",
                "additions/s",
                "floor x");
    for (const double density : {0.01, 0.03, 0.1, 0.3}) {
        const RandomProjectionFfn ffn{.features = 4 * dModel, .density = density};
        const auto weights = randomWeights<float>(flopsmith::weights(ffn, dModel), 1);
        for (const int tokens : {16, 128, 512}) {
            const Shape shape{.batch = 1, .sequence = tokens, .context = tokens, .dModel = dModel};
            const auto x = randomActivations<float>(shape.activations(), 2);
            const auto kernel = std::move(cpu::prepare(ffn, shape, weights, x, threads)).value();
            const double floor =
                medianSeconds(*peak.kernel, options.seconds) / toDouble(peak.amount);
            const double seconds = medianSeconds(*kernel, options.seconds);
            const double additions = static_cast<double>(tokens) * dModel
                * (4.0 * ffn.inputsPerFeature(dModel) + ffn.featuresPerOutput());
            std::printf("%-12.2f%8d%14s%16s%10.2f\n",
                        density,
                        tokens,
                        durationText(seconds).c_str(),
                        siText(additions / seconds).c_str(),
                        seconds / (additions * floor));
        }
    }
}

// Seconds of what an FFN cannot do without, each measured by itself in this run.
struct Floors
{
    double copy; ///< of the activations from x to y, at their size
    double transforms; ///< of every token there and back, one after the other in the cache
    double product; ///< per multiply-add, at the product peak
    double addition; ///< per addition of values from the first-level cache
    double tanh; ///< per value, of a row in the first-level cache
};

double transformSeconds(int dModel, const Options& options)
{
    const auto there =
        std::move(cpu::FftPlan::create(dModel, 1, cpu::FftDirection::forward)).value();
    const auto back =
        std::move(cpu::FftPlan::create(dModel, 1, cpu::FftDirection::inverse)).value();
    cpu::Buffer reals(static_cast<std::size_t>(dModel));
    cpu::Buffer spectrum(static_cast<std::size_t>(dModel) + 2);
    MeasureOptions measuring;
    measuring.budgetSeconds = options.seconds;
    const auto pair = [&] {
        there.forward(reals.data(), spectrum.data());
        back.inverse(spectrum.data(), reals.data());
    };
    return measure(pair, measuring, {}, {}).samples.median();
}

double tanhSeconds(const Options& options)
{
    std::vector<float> row = randomActivations<float>(2048, 4);
    MeasureOptions measuring;
    measuring.budgetSeconds = options.seconds;
    const auto all = [&] { cpu::tanhRow(row.data(), row.size()); };
    return measure(all, measuring, {}, {}).samples.median() / static_cast<double>(row.size());
}

Floors measuredFloors(const Shape& shape, cpu::Threads threads, double peak, const Options& options)
{
    constexpr std::size_t kFirstLevelBytes = std::size_t{16} << 10;
    auto copy =
        std::move(cpu::prepareCopyPeak(shape.activations() * sizeof(float), threads)).value();
    auto sums = std::move(cpu::prepareAdditionPeak(kFirstLevelBytes, threads)).value();
    const auto tokens = static_cast<double>(shape.tokens());
    return {.copy = medianSeconds(*copy.kernel, options.seconds),
            .transforms = tokens * transformSeconds(shape.dModel, options) / threads.count,
            .product = 2.0 / peak,
            .addition = medianSeconds(*sums.kernel, options.seconds) / toDouble(sums.amount),
            .tanh = tanhSeconds(options) / threads.count};
}

struct FloorLine
{
    const char* name;
    const char* floor;
    FfnSpec spec;
    double seconds;
};

// The cheap FFNs beside the floor that binds them.
void printFloors(int dModel, cpu::Threads threads, double peak, const Options& options)
{
    const int tokens = std::min(512, options.largestTokens);
    const Shape shape{.batch = 1, .sequence = tokens, .context = tokens, .dModel = dModel};
    const Floors floors = measuredFloors(shape, threads, peak, options);
    const auto products = [&](const FfnSpec& ffn) {
        return floors.product * flops(ffn, shape) / 2; // nearly all of them are multiply-adds
    };
    const RandomProjectionFfn random{.features = 4 * dModel};
    const double additions = static_cast<double>(tokens) * dModel
        * (4.0 * random.inputsPerFeature(dModel) + random.featuresPerOutput());
    MicroRefineFfn refine;
    refine.selection = ChannelSelection::fixed;
    const auto shared = CoefficientSharing::shared;
    // Choosing reads every value at least once more, from the cache.
    const double choice =
        floors.copy + floors.addition * toDouble(static_cast<Count>(shape.activations()));
    const double tanhs = floors.tanh * tokens * refine.keptChannels(dModel);
    const std::vector<FloorLine> lines{
        {"spectral low_pass, fft",
         "FFTW's transforms alone",
         spectral(BinSelection::lowPass, SpectralAlgorithm::fft),
         floors.transforms},
        {"spectral top_k",
         "FFTW's transforms alone",
         spectral(BinSelection::topK, SpectralAlgorithm::fft),
         floors.transforms},
        {"polynomial static",
         "copy of x to y",
         polynomial(ChannelSelection::fixed, shared),
         floors.copy},
        {"polynomial top_k",
         "copy, read to choose",
         polynomial(ChannelSelection::topK, shared),
         choice},
        {"micro_refine static", "copy, tanh of the kept", refine, floors.copy + tanhs},
        {"micro_refine top_k", "copy, read, tanh of kept", MicroRefineFfn{}, choice + tanhs},
        {"Kronecker, rank 1", "product peak", kronecker(dModel, 1), products(kronecker(dModel, 1))},
        {"Kronecker, rank 4", "product peak", kronecker(dModel, 4), products(kronecker(dModel, 4))},
        {"random projection, 10 %", "additions in cache", random, additions * floors.addition},
        {"UltraEfficientSparseFFN",
         "FFTW's transforms alone",
         ultraEfficientSparseFfn(),
         floors.transforms}};
    std::printf("\nfloors, d = %d, T = %d, %d thread(s)\n%-28s%-26s%12s%12s%8s\n",
                dModel,
                tokens,
                threads.count,
                "FFN",
                "floor",
                "floor",
                "median",
                "ratio");
    for (const FloorLine& line : lines) {
        const auto weights = randomWeights<float>(flopsmith::weights(line.spec, dModel), 1);
        const auto x = randomActivations<float>(shape.activations(), 2);
        const auto kernel = std::move(cpu::prepare(line.spec, shape, weights, x, threads)).value();
        const double seconds = medianSeconds(*kernel, options.seconds);
        std::printf("%-28s%-26s%12s%12s%8.2f\n",
                    line.name,
                    line.floor,
                    durationText(line.seconds).c_str(),
                    durationText(seconds).c_str(),
                    seconds / line.seconds);
    }
}

void printAttention(cpu::Threads threads, double peak, const Options& options)
{
    std::printf("\nattention, d = 768, 12 heads, %d thread(s)\n", threads.count);
    const auto line = [&](const char* name, const Attention& attention, const Shape& shape) {
        const auto weights = randomWeights<float>(flopsmith::weights(attention, 768), 1);
        const auto x = randomActivations<float>(shape.activations(), 2);
        const auto keys = randomActivations<float>(operandsOf(attention, shape).cachedKeys, 3);
        const auto kernel =
            std::move(cpu::prepare(attention, shape, weights, {x, keys, keys}, threads)).value();
        const double seconds = medianSeconds(*kernel, options.seconds);
        const double rate = flops(attention, shape) / seconds;
        std::printf("%-28sS = %-6dC = %-6d%12s%14s%9.0f%%\n",
                    name,
                    shape.sequence,
                    shape.context,
                    durationText(seconds).c_str(),
                    siText(rate).c_str(),
                    100 * rate / peak);
    };
    Attention materialised;
    materialised.algorithm = AttentionAlgorithm::materialised;
    Attention grouped;
    grouped.kvHeads = 3;
    for (const int s : {128, 512, 2048}) {
        const Shape prefill{.batch = 1, .sequence = s, .context = s, .dModel = 768};
        line("flash", Attention{}, prefill);
        line("materialised", materialised, prefill);
        line("flash, 3 key heads", grouped, prefill);
    }
    const Shape decode{.batch = 1, .sequence = 1, .context = 4096, .dModel = 768};
    line("decode", Attention{}, decode);
    line("decode, 3 key heads", grouped, decode);
}

void run(const Options& options)
{
    for (const cpu::LibraryVersion& library : cpu::libraryVersions()) {
        std::printf("%s: %s\n", library.name.c_str(), library.version.c_str());
    }
    for (const int threads : {1, 2}) {
        const double peak = productPeak({threads}, options.seconds);
        auto copy = std::move(cpu::prepareCopyPeak(std::size_t{512} << 20, {threads})).value();
        const double bytes = toDouble(copy.amount) / medianSeconds(*copy.kernel, options.seconds);
        std::printf("\n%d thread(s): product peak %sFLOP/s, copy %sB/s\n",
                    threads,
                    siText(peak).c_str(),
                    siText(bytes).c_str());
        for (const int dModel : {768, 4096}) {
            if (dModel <= options.largestWidth) {
                printWidth(dModel, {threads}, peak, options);
                printFloors(dModel, {threads}, peak, options);
                printSums(dModel, {threads}, options);
            }
        }
        printAttention({threads}, peak, options);
    }
}

} // namespace
} // namespace flopsmith

int main(int count, char** arguments)
{
    flopsmith::Options options;
    if (count > 1) {
        options.seconds = std::strtod(arguments[1], nullptr);
    }
    if (count > 2) {
        options.largestWidth = std::atoi(arguments[2]);
    }
    if (count > 3) {
        options.largestTokens = std::atoi(arguments[3]);
    }
    flopsmith::run(options);
    return 0;
}
