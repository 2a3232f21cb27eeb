// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/scores.h"

#include "core/kernels/cuda/mixer/score_rows.cuh"

#include <memory>

namespace flopsmith::cuda {
namespace {

// What a plan's steps keep of one attention.
struct ScoreCore
{
    const Device& device;
    ScoreRows rows;
    float scale;
    bool recomputes; ///< the scores in the backward pass
    std::vector<Strip> strips;
    float* offsetSums; ///< [batch, H, kOffsets]; null without biases
    std::vector<ScoreOperands> operands; ///< of every strip

    void run() const
    {
        for (std::size_t i = 0; i < strips.size(); ++i) {
            const Strip& strip = strips[i];
            const ScoreOperands& of = operands[i];
            computeProbabilities(i);
            multiplyHeads(strip,
                          {strip.queries, strip.keys(), rows.size.valueWidth},
                          of.probabilities,
                          of.v,
                          of.out);
        }
    }

    void runBackward() const
    {
        if (offsetSums != nullptr) {
            const Index count = rows.size.batch * rows.size.heads * kOffsets;
            const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(float);
            check(cudaMemsetAsync(offsetSums, 0, bytes, device.stream()), "clear gradients");
        }
        const Index width = rows.size.keyWidth;
        const Index valueWidth = rows.size.valueWidth;
        const ProductWay add{.into = Into::accumulate};
        const ProductWay addScaled{.into = Into::accumulate, .scale = scale};
        for (std::size_t i = 0; i < strips.size(); ++i) {
            const Strip& strip = strips[i];
            const Index queries = strip.queries;
            const Index keys = strip.keys();
            const ScoreOperands& of = operands[i];
            if (recomputes) {
                computeProbabilities(i);
            }
            const Operand turned = of.probabilities.transposed();
            multiplyHeads(strip, {keys, queries, valueWidth}, turned, of.dOut, of.dV, add);
            multiplyHeads(
                strip, {queries, valueWidth, keys}, of.dOut, of.v.transposed(), of.gradients);
            softmaxBackward(strip);
            multiplyHeads(strip, {queries, keys, width}, of.dScores, of.k, of.dQ, addScaled);
            const Operand turnedScores = of.dScores.transposed();
            multiplyHeads(strip, {keys, queries, width}, turnedScores, of.q, of.dK, addScaled);
        }
    }

    void computeProbabilities(std::size_t i) const
    {
        const Strip strip = strips[i];
        const ScoreOperands& of = operands[i];
        multiplyHeads(strip,
                      {strip.queries, rows.size.keyWidth, strip.keys()},
                      of.q,
                      of.k.transposed(),
                      of.scores,
                      {.scale = scale});
        const ScoreRows own = rows;
        onRows(strip, [=] __device__(Index row) { own.softmax(strip, row); });
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
        if (of.tangents != nullptr || of.dScores != nullptr) {
            onRows(strip, [=] __device__(Index row) { of.uncap(own, row); });
        }
    }

    // c of the heads of a group may be the same, so that they come one after the other.
    void multiplyHeads(const Strip& strip,
                       const ProductSize& size,
                       const Operand& a,
                       const Operand& b,
                       const Operand& c,
                       ProductWay way = {}) const
    {
        way.count = strip.units;
        for (int place = 0; place < rows.size.groupSize; ++place) {
            const auto ofPlace = [&](Operand heads) {
                heads.first = static_cast<const void* const*>(heads.first) + place * way.count;
                return heads;
            };
            multiplyAt(device, size, ofPlace(a), ofPlace(b), ofPlace(c), way);
        }
    }

    template <class Work>
    void onRows(const Strip& strip, const Work& work) const
    {
        const Index count = strip.units * rows.size.groupSize * strip.queries;
        forEachRow(device, count, strip.keys(), work);
    }
};

// What the plan keeps in memory for the scores: those of one strip, or all.
ScoreRows scoreRows(Plan& plan, const ScoreSize& size, const ScoreSteps& steps, Index count)
{
    const Index rows = size.batch * size.heads * size.queries;
    const bool rounds = operandElement(plan.device()) == Element::bfloat16;
    const auto kept = [&](bool needed, Index values) {
        return plan.learns() && needed ? plan.memory<float>(values) : nullptr;
    };
    const auto halves = [&](bool needed) {
        return rounds && needed ? plan.memory<__nv_bfloat16>(count) : nullptr;
    };
    return {.size = size,
            .cap = steps.cap,
            .slopes = steps.slopes,
            .biases = steps.biases == nullptr ? nullptr : steps.biases->values,
            .sinks = steps.sinks == nullptr ? nullptr : steps.sinks->values,
            .scores = plan.memory<float>(count),
            .tangents = kept(steps.cap > 0.0F, count),
            .gradients = kept(true, count),
            .probabilities = halves(true),
            .dScores = halves(plan.learns()),
            .sinkShares = kept(steps.sinks != nullptr, rows),
            .centres = kept(steps.sinks != nullptr, rows)};
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
                 ScoreSize size,
                 const ScoreSteps& steps,
                 Tensor* q,
                 Tensor* k,
                 Tensor* v,
                 Index scoresAtOnce)
{
    const bool whole = algorithm == AttentionAlgorithm::materialised;
    size.keyWidth = k->columns / size.keyHeads();
    size.valueWidth = v->columns / size.keyHeads();
    const std::vector<Strip> strips = scoreStrips(size, whole ? 0 : scoresAtOnce);
    const Index sums =
        plan.learns() && steps.biases != nullptr ? size.batch * size.heads * kOffsets : 0;
    const auto core = std::make_shared<ScoreCore>(
        ScoreCore{plan.device(),
                  scoreRows(plan, size, steps, scoresInMemory(size, strips)),
                  steps.scale,
                  !whole,
                  strips,
                  plan.memory<float>(sums),
                  {}});
    Tensor* const out = plan.tensor(size.batch * size.queries, size.heads * size.valueWidth);
    const ScoreRows& rows = core->rows;
    const auto matrix = [&](const float* exact, const __nv_bfloat16* rounded) {
        return rounded == nullptr ? operandAt(exact, size.keys)
                                  : Operand{rounded, size.keys, Element::bfloat16};
    };
    ScoreOperands all{.scores = operandAt(rows.scores, size.keys),
                      .probabilities = matrix(rows.scores, rows.probabilities),
                      .gradients = operandAt(rows.gradients, size.keys),
                      .dScores = matrix(rows.gradients, rows.dScores),
                      .q = plan.operand(q),
                      .k = plan.operand(k),
                      .v = plan.operand(v),
                      .out = operandAt(out->values, out->stride)};
    plan.forward([core] { core->run(); });
    if (plan.learns()) {
        all.dQ = operandAt(q->gradient, q->stride);
        all.dK = operandAt(k->gradient, k->stride);
        all.dV = operandAt(v->gradient, v->stride);
        all.dOut = plan.gradientOperand(out);
        for (Tensor* const part : {q, k, v}) {
            plan.clearFirst(part);
        }
    }
    core->operands = operandsOfStrips(plan, size, strips, all);
    plan.backward([core] { core->runBackward(); });
    sumGradients(plan, steps, *core);
    return out;
}

} // namespace flopsmith::cuda
