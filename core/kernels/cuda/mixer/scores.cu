// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/scores.h"

#include "core/base/check.h"
#include "core/kernels/cuda/mixer/score_rows.cuh"
#include "core/kernels/cuda/mixer/score_strips.h"

#include <memory>

namespace flopsmith::cuda {
namespace {

// What a plan's steps keep of one attention.
struct ScoreCore
{
    const Device& device;
    ScoreRows rows;
    bool recomputes; ///< the scores in the backward pass
    std::vector<Strip> strips;
    __nv_bfloat16* probabilities; ///< rounded, null where products read float32
    __nv_bfloat16* dScores;
    float* offsetSums; ///< [batch, H, kOffsets]; null without biases
    StripProducts products;

    void computeProbabilities(std::size_t which) const
    {
        const Strip strip = strips[which];
        const ScoreRows of = rows;
        products.run(device, which, ScoreProduct::scores);
        onRows(strip, [=] __device__(Index row) { of.softmax(strip, row); });
        rounded(strip, rows.scores, probabilities);
    }

    void run() const
    {
        for (std::size_t strip = 0; strip < strips.size(); ++strip) {
            computeProbabilities(strip);
            products.run(device, strip, ScoreProduct::sums);
        }
    }

    void runBackward() const
    {
        if (offsetSums != nullptr) {
            const Index count = rows.size.batch * rows.size.heads * kOffsets;
            const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(float);
            check(cudaMemsetAsync(offsetSums, 0, bytes, device.stream()), "clear gradients");
        }
        for (std::size_t strip = 0; strip < strips.size(); ++strip) {
            if (recomputes) {
                computeProbabilities(strip);
            }
            products.run(device, strip, ScoreProduct::valueGradients);
            products.run(device, strip, ScoreProduct::probabilityGradients);
            softmaxBackward(strips[strip]);
            products.run(device, strip, ScoreProduct::queryGradients);
            products.run(device, strip, ScoreProduct::keyGradients);
        }
    }

    void softmaxBackward(const Strip& strip) const
    {
        const ScoreRows of = rows;
        const Strip own = strip;
        onRows(strip, [=] __device__(Index row) { of.back(own, row); });
        if (offsetSums != nullptr) {
            float* const sums = offsetSums;
            const Index slots = strip.units * of.size.groupSize * kOffsets;
            forEachRow(device, slots, strip.queries, [=] __device__(Index slot) {
                of.sumOffset(own, slot, sums);
            });
        }
        onRows(strip, [=] __device__(Index row) { of.scaleBack(own, row); });
        rounded(strip, rows.gradients, dScores);
    }

    template <class Work>
    void onRows(const Strip& strip, const Work& work) const
    {
        const Index count = strip.units * rows.size.groupSize * strip.queries;
        forEachRow(device, count, strip.endKey - strip.firstKey, work);
    }

    // The strip's rows as operands.
    void rounded(const Strip& strip, const float* from, __nv_bfloat16* to) const
    {
        if (to != nullptr) {
            const Index start = strip.start;
            const Index step = strip.headStep;
            const Index ofHead = Index{strip.queries} * rows.keys;
            const Index heads = strip.units * rows.size.groupSize;
            forEach(device, heads, ofHead, [=] __device__(Index head, Index i) {
                to[start + head * step + i] = __float2bfloat16(from[start + head * step + i]);
            });
        }
    }
};

int keysOf(const std::vector<KeyRange>& ranges)
{
    int count = 0;
    for (const KeyRange& range : ranges) {
        count += range.count;
    }
    return count;
}

// The operands of all ranges, whose gradients begin as zeros.
std::map<const Tensor*, Operand> operandsOf(Plan& plan, const std::vector<KeyRange>& ranges)
{
    std::map<const Tensor*, Operand> all;
    const auto add = [&](Tensor* rows) {
        if (all.find(rows) == all.end()) {
            all[rows] = plan.operand(rows);
            plan.clearFirst(rows);
        }
    };
    for (const KeyRange& range : ranges) {
        add(range.values.of);
        for (const KeyPiece& piece : range.pieces) {
            add(piece.queries.of);
            add(piece.keys.of);
        }
    }
    return all;
}

// What the plan keeps in memory for the scores: those of one strip, or all.
ScoreRows scoreRows(Plan& plan,
                    const ScoreSize& size,
                    const ScoreSteps& steps,
                    int keys,
                    Index count)
{
    const Index rows = size.batch * size.heads * size.queries;
    const auto kept = [&](bool needed, Index values) {
        return plan.learns() && needed ? plan.memory<float>(values) : nullptr;
    };
    ScoreRows made{.size = size, .keys = keys, .scale = steps.scale, .cap = steps.cap};
    made.slopes = steps.slopes;
    made.biases = steps.biases == nullptr ? nullptr : steps.biases->values;
    made.sinks = steps.sinks == nullptr ? nullptr : steps.sinks->values;
    made.scores = plan.memory<float>(count);
    made.tangents = kept(steps.cap > 0.0F, count);
    made.gradients = kept(true, count);
    made.sinkShares = kept(steps.sinks != nullptr, rows);
    made.centres = kept(steps.sinks != nullptr, rows);
    return made;
}

// The gradients of sinks and biases, sums over what the core left.
void sumGradients(Plan& plan, const ScoreSteps& steps, const ScoreCore& core)
{
    const Index heads = core.rows.size.heads;
    const Index queries = core.rows.size.queries;
    const Index batch = core.rows.size.batch;
    const float* const shares = core.rows.sinkShares;
    const float* const centres = core.rows.centres;
    const float* const sums = core.offsetSums;
    sumIntoGradient(plan, steps.sinks, batch * queries, [=] __device__(Index i, Index head) {
        const Index row = (i / queries * heads + head) * queries + i % queries;
        return -shares[row] * centres[row];
    });
    sumIntoGradient(plan, steps.biases, batch, [=] __device__(Index b, Index i) {
        return sums[b * heads * kOffsets + i];
    });
}

} // namespace

Tensor* attended(Plan& plan,
                 AttentionAlgorithm algorithm,
                 const ScoreSize& size,
                 const ScoreSteps& steps,
                 const std::vector<KeyRange>& ranges,
                 std::int64_t scoresAtOnce)
{
    const bool whole = algorithm == AttentionAlgorithm::materialised;
    const bool rounds = operandElement(plan.device()) == Element::bfloat16;
    const int keys = keysOf(ranges);
    const std::vector<Strip> strips = scoreStrips(size, keys, whole ? 0 : scoresAtOnce);
    const Index count = scoresInMemory(size, keys, strips);
    const auto halves = [&](bool needed) {
        return rounds && needed ? plan.memory<__nv_bfloat16>(count) : nullptr;
    };
    const Index sums =
        plan.learns() && steps.biases != nullptr ? size.batch * size.heads * kOffsets : 0;
    const auto core =
        std::make_shared<ScoreCore>(ScoreCore{plan.device(),
                                              scoreRows(plan, size, steps, keys, count),
                                              !whole,
                                              strips,
                                              halves(true),
                                              halves(plan.learns()),
                                              plan.memory<float>(sums),
                                              {}});
    const Index width = size.heads * ranges.front().values.width;
    Tensor* const out = plan.tensor(size.batch * size.queries, width);
    ScoreOperands operands{.scores = operandAt(core->rows.scores, keys),
                           .gradients = operandAt(core->rows.gradients, keys),
                           .rows = operandsOf(plan, ranges),
                           .out = operandAt(out->values, width)};
    const auto operandOf = [&](const __nv_bfloat16* half, const Operand& exact) {
        return half == nullptr ? exact : Operand{half, keys, Element::bfloat16};
    };
    operands.probabilities = operandOf(core->probabilities, operands.scores);
    operands.dScores = operandOf(core->dScores, operands.gradients);
    plan.forward([core] { core->run(); });
    if (plan.learns()) {
        operands.dOut = plan.gradientOperand(out);
    }
    core->products = StripProducts(size, ranges, strips, operands);
    plan.backward([core] { core->runBackward(); });
    sumGradients(plan, steps, *core);
    return out;
}

} // namespace flopsmith::cuda
