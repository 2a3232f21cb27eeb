// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/tables/bf16_table.h"

#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/cpu/peaks.h"
#include "tests/bench/tables/alternation.h"
#include "tests/bench/tables/kernels.h"
#include "tests/bench/tables/peak.h"

#include <cstdio>

namespace flopsmith::bench {
namespace {

constexpr int kMaxTokens = 2048;

class Bfloat16Table
{
public:
    Bfloat16Table(const Options& options, Report& report, TorchPeer* peer)
        : m_options(options)
        , m_report(report)
        , m_peer(peer)
    {}

    void print()
    {
        const double peak = productPeak({1}, m_options.seconds, cpu::Precision::bfloat16);
        m_report.table("bfloat16",
                       "bfloat16 products, one thread, least processor time; product peak "
                           + cellText(peak, Figure::perSecond),
                       {{"operation", "operation", Figure::text},
                        {"pass", "pass", Figure::text},
                        {"d_model", "d", Figure::whole},
                        {"tokens", "T", Figure::whole},
                        {"seconds", "bfloat16", Figure::seconds},
                        {"flops_per_second", "FLOP", Figure::perSecond},
                        {"float32_seconds", "float32", Figure::seconds},
                        {"float32_over_this", "f32/this", Figure::ratio},
                        {"torch_seconds", "PyTorch", Figure::seconds},
                        {"torch_over_this", "torch/this", Figure::ratio},
                        {"difference", "difference", Figure::text}});
        for (const int dModel : {768, 4096}) {
            if (m_options.width > 0 && m_options.width != dModel) {
                continue;
            }
            for (const Case& each : cases(dModel)) {
                if (isProduct(each) && nameOf(each).find(m_options.only) != std::string::npos) {
                    printCase(each, dModel);
                }
            }
        }
    }

private:
    static bool isProduct(const Case& each)
    {
        const auto* ffn = std::get_if<FfnSpec>(&each.what);
        return ffn != nullptr
            && (holds_alternative<DenseFfn>(*ffn) || holds_alternative<GatedFfn>(*ffn));
    }

    static std::string nameOf(const Case& each) { return each.name + ", bfloat16"; }

    void printCase(const Case& each, int dModel)
    {
        const auto weights = randomWeights<float>(weightShapes(each, dModel), 1);
        const bool beside = m_peer != nullptr
            && m_peer->load(each, dModel, weights, ComputePrecision::bfloat16).ok();
        for (const bool backward : {false, true}) {
            for (const int tokens : {1, 16, 128, kMaxTokens}) {
                const bool slow = tokens == kMaxTokens && (dModel > 768 || backward);
                if (((m_options.quick || backward) && (tokens == 16 || slow))
                    || !m_options.includes(dModel, tokens)) {
                    continue;
                }
                const RunSize run{.sequence = tokens,
                                  .context = tokens,
                                  .backward = backward,
                                  .precision = ComputePrecision::bfloat16};
                printPoint(each, dModel, run, weights, beside ? m_peer : nullptr);
            }
        }
    }

    void printPoint(const Case& each,
                    int dModel,
                    const RunSize& run,
                    const Weights<float>& weights,
                    TorchPeer* peer)
    {
        const RunOperands operands(each, run, dModel);
        RunSize single = run;
        single.precision = ComputePrecision::float32;
        const double float32 = timed(each, dModel, single, weights, operands, nullptr).seconds;
        const Timed found = timed(each, dModel, run, weights, operands, peer);
        std::vector<Cell> cells{nameOf(each),
                                run.backward ? "backward" : "forward",
                                std::int64_t{dModel},
                                std::int64_t{run.sequence},
                                found.seconds,
                                flops(each, run, dModel) / found.seconds,
                                float32,
                                float32 / found.seconds};
        if (found.theirs > 0.0) {
            char text[32];
            std::snprintf(text, sizeof text, "%.0e", found.difference);
            const bool agrees = found.difference <= kLargestRoundedDifference;
            cells.insert(cells.end(),
                         {found.theirs,
                          found.theirs / found.seconds,
                          std::string(agrees ? "" : "WRONG ") + text});
        } else {
            cells.resize(cells.size() + 3);
        }
        m_report.row(cells);
    }

    // Least processor time of one run, and PyTorch's if it takes turns.
    struct Timed
    {
        double seconds = 0.0;
        double theirs = 0.0;
        double difference = 0.0;
    };

    // PyTorch rounds the hidden layer and the result too, ours rounds what goes into products.
    static constexpr double kLargestRoundedDifference = 0.05;

    Timed timed(const Case& each,
                int dModel,
                const RunSize& run,
                const Weights<float>& weights,
                const RunOperands& operands,
                TorchPeer* peer) const
    {
        auto kernel = prepareKernel(each, run, dModel, weights, operands);
        if (!kernel) {
            m_report.note(each.name + ": " + kernel.error().message);
            return {};
        }
        Timed found;
        PeerSeconds first;
        if (peer != nullptr) {
            const auto prepared = peer->prepare(run, operands.input());
            if (!prepared) {
                m_report.note(each.name + ": not beside PyTorch: " + prepared.error().message);
                peer = nullptr;
            } else {
                (*kernel)->run();
                found.difference = relativeDifference((*kernel)->output(), prepared->result);
                first = prepared->seconds;
            }
        }
        const auto pair = alternate(**kernel, peer, first, m_options.seconds);
        if (!pair) {
            m_report.note(each.name + ": " + pair.error().message);
            return {};
        }
        found.seconds = pair->ours.processor.min();
        found.theirs = pair->theirs.empty() ? 0.0 : pair->theirs.processor.min();
        return found;
    }

    const Options& m_options;
    Report& m_report;
    TorchPeer* m_peer;
};

} // namespace

void printBfloat16(const Options& options, Report& report, TorchPeer* peer)
{
    if (const Status possible = cpu::computesProductsIn(cpu::Precision::bfloat16); !possible) {
        report.note(possible.error().message);
        return;
    }
    Bfloat16Table(options, report, peer).print();
}

} // namespace flopsmith::bench
