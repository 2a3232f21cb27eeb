// SPDX-License-Identifier: GPL-3.0-or-later
// Run times of the CPU kernels, forward and backward, beside three things: the fastest product
// that the machine's libraries manage, the dense FFN of the same width, and PyTorch, if a Python
// with torch is found. Every result is compared with PyTorch's before it is timed.
#include "core/base/text.h"
#include "core/json/json_text.h"
#include "core/kernels/cpu/ffn.h"
#include "core/kernels/cpu/libraries.h"
#include "core/kernels/cpu/mixer.h"
#include "core/kernels/mixer_operands.h"
#include "core/measure/clock.h"
#include "tests/bench/tables/alternation.h"
#include "tests/bench/tables/bf16_table.h"
#include "tests/bench/tables/cases.h"
#include "tests/bench/tables/kernels.h"
#include "tests/bench/tables/peak.h"
#include "tests/bench/tables/report.h"
#include "tests/bench/tables/torch_peer.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

namespace flopsmith::bench {
namespace {

constexpr int kDecodeContext = 2048; // tokens that one new token looks back on
// Where a run takes seconds: last, and no more of them after so long; later no more of those between
// the other lengths either, so that all tables together stay below a quarter of an hour on a slow or
// busy machine too.
constexpr int kMaxTokens = 2048;
constexpr int kWidest = 4096;
constexpr int kBetween = 16;
constexpr double kSecondsForLongest = 330;
constexpr double kSecondsForBetween = 540;
constexpr int kDraws = 3; // of operands, to be compared with PyTorch

// PyTorch's time over ours.
double budgetOf(Kind kind)
{
    return kind == Kind::product ? 1.0 : 3.0;
}

// The worst ratio of an operation, for the summary.
struct Worst
{
    Kind kind = Kind::cheap;
    double ratio = 0.0;
    std::string where;
};

class Kernels
{
public:
    Kernels(const Options& options, Report& report)
        : m_options(options)
        , m_report(report)
    {}

    void run()
    {
        for (const cpu::LibraryVersion& library : cpu::libraryVersions()) {
            m_report.note(library.name + ": " + library.version);
            m_report.fact(library.name, library.version);
        }
        startPeer();
        measurePeaks();
        const bool quick = m_options.quick;
        const std::vector<int> most = {1, 16, 128, kMaxTokens};
        const std::vector<int> few = {1, 128};
        printWidth(768, "", quick ? few : most);
        printWidth(kWidest, "", quick ? few : std::vector<int>{1, 16, 128});
        if (!quick) {
            printWidth(kWidest, ", T = " + std::to_string(kMaxTokens), {kMaxTokens});
        }
        printBfloat16(m_options, m_report, m_peer ? &*m_peer : nullptr);
        if (m_leftOut > 0) {
            m_report.note(std::to_string(m_leftOut) + " points of d = " + std::to_string(kWidest)
                          + " were left out: time was up");
            m_report.fact("left_out", m_leftOut);
        }
        printWorst();
    }

private:
    void startPeer()
    {
        const std::string python = m_options.python.empty() ? "python3" : m_options.python;
        auto peer = TorchPeer::start(python);
        if (peer) {
            m_peer.emplace(std::move(peer).value());
            m_report.note("PyTorch: " + jsonText(m_peer->versions()));
            m_report.fact("PyTorch", m_peer->versions());
        } else {
            m_report.note("no PyTorch beside: " + python + ": " + peer.error().message);
        }
    }

    void measurePeaks()
    {
        m_report.table("peaks",
                       "What the machine's libraries reach at most",
                       {{"threads", "threads", Figure::whole},
                        {"product_flops_per_second", "FLOP", Figure::perSecond},
                        {"copy_bytes_per_second", "copy B", Figure::perSecond}});
        for (const int threads : m_options.threadCounts()) {
            m_peaks[threads] = productPeak({threads}, m_options.seconds);
            m_report.row(
                {std::int64_t{threads}, m_peaks[threads], copyPeak({threads}, m_options.seconds)});
        }
    }

    void printWidth(int dModel, const std::string& size, std::vector<int> tokens)
    {
        const auto left = std::remove_if(tokens.begin(), tokens.end(), [&](int count) {
            return !m_options.includes(dModel, count);
        });
        tokens.erase(left, tokens.end());
        if (tokens.empty()) {
            return;
        }
        m_report.table(std::string("d") + std::to_string(dModel) + (size.empty() ? "" : "_longest"),
                       "d = " + std::to_string(dModel) + size
                           + "; least: processor time on one thread, wall time on several",
                       {{"operation", "operation", Figure::text},
                        {"threads", "threads", Figure::whole},
                        {"pass", "pass", Figure::text},
                        {"tokens", "T", Figure::whole},
                        {"seconds", "median", Figure::seconds},
                        {"least_seconds", "least", Figure::seconds},
                        {"flops_per_second", "FLOP", Figure::perSecond},
                        {"share_of_peak", "of peak", Figure::percent},
                        {"dense_over_this", "dense/this", Figure::ratio},
                        {"torch_seconds", "PyTorch", Figure::seconds},
                        {"torch_over_this", "torch/this", Figure::ratio},
                        {"torch_over_this_least", "  of least", Figure::ratio},
                        {"difference", "difference", Figure::text}});
        std::vector<Case> all = cases(dModel);
        if (!size.empty()) { // those that take longest may find no time; the first is the dense FFN
            std::stable_partition(all.begin() + 1, all.end(), [](const Case& each) {
                return each.kind == Kind::cheap;
            });
        }
        for (const Case& each : all) {
            if (each.name.find(m_options.only) != std::string::npos) {
                printCase(each, dModel, lengthsOf(each, tokens));
            }
        }
    }

    // A run of all tables has time for few lengths of some cases; one that asks for a part has more.
    std::vector<int> lengthsOf(const Case& each, std::vector<int> tokens) const
    {
        const bool all = m_options.only.empty() && m_options.width == 0 && m_options.tokens == 0;
        if (all && !each.lengths.empty()) {
            std::erase_if(tokens, [&each](int count) {
                return std::ranges::find(each.lengths, count) == each.lengths.end();
            });
        }
        return tokens;
    }

    bool isLeftOut(int dModel, int tokens)
    {
        const double spent = m_now() - m_started;
        const bool late = (tokens == kMaxTokens && spent > kSecondsForLongest)
            || (tokens == kBetween && spent > kSecondsForBetween);
        const bool leftOut = dModel == kWidest && late;
        m_leftOut += leftOut ? 1 : 0;
        return leftOut;
    }

    void printCase(const Case& each, int dModel, const std::vector<int>& tokens)
    {
        if (tokens.empty()) {
            return;
        }
        const auto weights = randomWeights<float>(weightShapes(each, dModel), 1);
        TorchPeer* peer = m_peer ? &*m_peer : nullptr;
        if (peer != nullptr) {
            if (const Status loaded = peer->load(each, dModel, weights); !loaded) {
                m_report.note(each.name + ": not beside PyTorch: " + loaded.error().message);
                peer = nullptr;
            }
        }
        for (const int threads : m_options.threadCounts()) {
            for (const bool backward : {false, true}) {
                for (const int count : tokens) {
                    if (!isLeftOut(dModel, count)) {
                        printPoint(
                            each, weights, runOf(each, count, threads, backward), dModel, peer);
                    }
                }
            }
        }
    }

    // One token of attention is a step of decoding; gradients are those of prefill.
    static RunSize runOf(const Case& each, int tokens, int threads, bool backward)
    {
        const bool decodes =
            std::holds_alternative<MixerSpec>(each.what) && tokens == 1 && !backward;
        return {.sequence = tokens,
                .context = decodes ? kDecodeContext : tokens,
                .threads = threads,
                .backward = backward};
    }

    // A kernel with its operands, compared with PyTorch if that stands beside it.
    struct Point
    {
        std::unique_ptr<RunOperands> operands;
        std::unique_ptr<Kernel> kernel;
        TorchPeer* peer = nullptr;
        PeerSeconds first{}; ///< of PyTorch
        double difference = 0.0;
    };

    Result<Point> prepared(const Case& each,
                           const Weights<float>& weights,
                           const RunSize& run,
                           int dModel,
                           TorchPeer* peer,
                           int draw)
    {
        Point point{.operands = std::make_unique<RunOperands>(each, run, dModel, draw),
                    .peer = peer};
        auto kernel = prepareKernel(each, run, dModel, weights, *point.operands);
        if (!kernel) {
            return kernel.error();
        }
        point.kernel = std::move(kernel).value();
        if (peer == nullptr) {
            return point;
        }
        auto theirs = peer->prepare(run, point.operands->input());
        if (!theirs) {
            m_report.note(each.name + ": not beside PyTorch: " + theirs.error().message);
            point.peer = nullptr;
            return point;
        }
        point.kernel->run();
        point.difference = relativeDifference(point.kernel->output(), theirs->result);
        point.first = theirs->seconds;
        return point;
    }

    // Where a value lies within rounding of relu's bend, or two within rounding of each other, two
    // right results differ; the next operands have no such value. A wrong kernel differs always.
    Result<Point> compared(const Case& each,
                           const Weights<float>& weights,
                           const RunSize& run,
                           int dModel,
                           TorchPeer* peer)
    {
        Result<Point> point = prepared(each, weights, run, dModel, peer, 0);
        for (int draw = 1; draw < kDraws && point && point->difference > kLargestDifference;
             ++draw) {
            point = prepared(each, weights, run, dModel, peer, draw);
        }
        return point;
    }

    void printPoint(const Case& each,
                    const Weights<float>& weights,
                    const RunSize& run,
                    int dModel,
                    TorchPeer* peer)
    {
        const Result<Point> point = compared(each, weights, run, dModel, peer);
        if (!point) {
            m_report.note(each.name + ": " + point.error().message);
            return;
        }
        auto pair = alternate(*point->kernel,
                              point->peer,
                              point->first,
                              m_options.seconds,
                              Goal{budgetOf(each.kind), run.threads});
        if (!pair) {
            m_report.note(each.name + ": " + pair.error().message);
            return;
        }
        pair->difference = point->difference;
        printRow(each, run, dModel, *pair);
    }

    void printRow(const Case& each, const RunSize& run, int dModel, const Pair& pair)
    {
        const double seconds = pair.ours.wall.median();
        const double least = run.threads == 1 ? pair.ours.processor.min() : pair.ours.wall.min();
        const double rate = flops(each, run, dModel) / least;
        const auto place = std::tuple(dModel, run.threads, run.backward, run.sequence);
        if (isDense(each)) { // which comes first
            m_dense[place] = least;
        }
        const auto dense = m_dense.find(place);
        std::vector<Cell> cells{each.name,
                                std::int64_t{run.threads},
                                run.backward ? "backward" : "forward",
                                std::int64_t{run.sequence},
                                seconds,
                                least,
                                rate,
                                rate / m_peaks[run.threads],
                                dense != m_dense.end() ? Cell(dense->second / least) : Cell()};
        if (pair.theirs.empty()) {
            cells.resize(cells.size() + 4);
        } else {
            const double ratio = pair.ratioOfLeast(run.threads);
            char text[32];
            std::snprintf(text, sizeof text, "%.0e", pair.difference);
            const bool agrees = pair.difference <= kLargestDifference;
            cells.insert(cells.end(),
                         {pair.theirs.wall.median(),
                          pair.ratios.median(),
                          ratio,
                          std::string(agrees ? "" : "WRONG ") + text});
            Worst& worst = m_worst[each.name];
            if (worst.where.empty() || ratio < worst.ratio) {
                worst = {each.kind, ratio, placeText(run, dModel)};
            }
        }
        m_report.row(cells);
    }

    static bool isDense(const Case& each)
    {
        const auto* ffn = std::get_if<FfnSpec>(&each.what);
        return ffn != nullptr && holds_alternative<DenseFfn>(*ffn);
    }

    static std::string placeText(const RunSize& run, int dModel)
    {
        return "d = " + std::to_string(dModel) + ", T = " + std::to_string(run.sequence)
            + (run.backward ? ", backward, " : ", forward, ") + std::to_string(run.threads)
            + (run.threads == 1 ? " thread" : " threads");
    }

    void printWorst()
    {
        if (m_worst.empty()) {
            return;
        }
        m_report.table(
            "against_pytorch",
            "Against PyTorch: the budget, and where an operation is worst (ratio of least)",
            {{"operation", "operation", Figure::text},
             {"budget", "budget", Figure::ratio},
             {"ratio", "least ratio", Figure::ratio},
             {"where", "  at", Figure::text}});
        for (const auto& [name, worst] : m_worst) {
            m_report.row({name, budgetOf(worst.kind), worst.ratio, "  " + worst.where});
        }
    }

    const Options& m_options;
    Report& m_report;
    std::optional<TorchPeer> m_peer;
    Clock m_now = steadyClock();
    double m_started = m_now();
    int m_leftOut = 0;
    std::map<int, double> m_peaks; ///< by threads
    std::map<std::tuple<int, int, bool, int>, double> m_dense;
    std::map<std::string, Worst> m_worst;
};

void run(const Options& options, Report& report)
{
    Kernels(options, report).run();
}

} // namespace
} // namespace flopsmith::bench

int main(int count, char** arguments)
{
    return flopsmith::bench::benchMain(count, arguments, "kernels", flopsmith::bench::run);
}
