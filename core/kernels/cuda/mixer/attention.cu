// SPDX-License-Identifier: MIT
#include "core/mixer/attention.h"

#include "core/kernels/cuda/mixer/operations.h"
#include "core/kernels/cuda/mixer/scores.h"
#include "core/kernels/cuda/plan/elements.cuh"

namespace flopsmith::cuda {
namespace {

// Rows q | k | v in three.
struct QueriesKeysValues
{
    Tensor* q;
    Tensor* k;
    Tensor* v;
};

// What happens to queries, keys and values between the projection and the scores.
QueriesKeysValues preparedRows(Plan& plan, const Attention& attention, const MixerOnDevice& in)
{
    const AttentionTensors at(attention);
    const Shape& shape = in.shape;
    const Index h = attention.headDimFor(shape.dModel);
    const Index queryWidth = attention.heads * h;
    const Index keyWidth = attention.kvHeads * h;
    Tensor* const qkv = linear(plan,
                               in.x,
                               queryWidth + 2 * keyWidth,
                               in.weights[at.qkv],
                               tensorAt(in.weights, at.qkvBias));
    QueriesKeysValues rows{plan.columns(qkv, 0, queryWidth),
                           plan.columns(qkv, queryWidth, keyWidth),
                           plan.columns(qkv, queryWidth + keyWidth, keyWidth)};
    if (attention.normalisesQk()) {
        const Norm norm = attention.queryKeyNorm();
        const bool perHead = attention.qkNorm == QkNorm::perHead;
        rows.q =
            normed(plan, norm, rows.q, in.weights.subspan(at.qNorm), perHead ? attention.heads : 1);
        rows.k = normed(
            plan, norm, rows.k, in.weights.subspan(at.kNorm), perHead ? attention.kvHeads : 1);
    }
    if (attention.limitsQkv()) {
        for (Tensor** const part : {&rows.q, &rows.k, &rows.v}) {
            *part = limited(plan, *part, static_cast<float>(attention.qkvLimit));
        }
    }
    if (attention.rotary) {
        Rotation rotation{.heads = attention.heads,
                          .features = attention.rotaryFeatures(shape.dModel),
                          .firstPosition = shape.context - shape.sequence,
                          .sequence = shape.sequence};
        rows.q = rotated(plan, rows.q, rotation, attention.rope);
        rotation.heads = attention.kvHeads;
        rows.k = rotated(plan, rows.k, rotation, attention.rope);
    }
    return rows;
}

// One bias per head and offset, [1, H·kOffsets], of a table [buckets, H].
Tensor* biasesByOffset(Plan& plan, const Attention& attention, Tensor* table)
{
    static_assert(kFarthestOffset >= kFarthestDistance);
    std::vector<int> buckets;
    for (int offset = -kFarthestOffset; offset <= kFarthestOffset; ++offset) {
        buckets.push_back(relativeBucket(offset, attention.relativeBuckets, attention.direction()));
    }
    const Index heads = attention.heads;
    Tensor* const y = plan.tensor(1, heads * kOffsets);
    const int* const bucket = plan.copied(buckets);
    const float* const from = table->values;
    const float* const dy = y->gradient;
    fill(plan, y, [=] __device__(Index, Index i) {
        return from[bucket[i % kOffsets] * heads + i / kOffsets];
    });
    addGradient(plan, table, [=] __device__(Index, Index i) {
        float sum = 0.0F;
        for (int slot = 0; slot < kOffsets; ++slot) {
            sum += bucket[slot] == i / heads ? dy[i % heads * kOffsets + slot] : 0.0F;
        }
        return sum;
    });
    return y;
}

ScoreSteps stepsOf(Plan& plan, const Attention& attention, const MixerOnDevice& in)
{
    const AttentionTensors at(attention);
    ScoreSteps steps;
    if (attention.scaleScores) {
        const int h = attention.headDimFor(in.shape.dModel);
        steps.scale = static_cast<float>(attention.scoreFactor(h));
    }
    steps.cap = attention.hasSoftCap() ? static_cast<float>(attention.softCap) : 0.0F;
    if (attention.positionBias == PositionBias::alibi) {
        std::vector<float> slopes;
        for (int head = 0; head < attention.heads; ++head) {
            slopes.push_back(static_cast<float>(alibiSlope(head, attention.heads)));
        }
        steps.slopes = plan.copied(slopes);
    }
    if (attention.readsBiasTable()) {
        steps.biases = biasesByOffset(plan, attention, in.weights[at.relativeBias]);
    }
    steps.sinks = tensorAt(in.weights, at.sinks);
    return steps;
}

} // namespace

Tensor* planMixer(Plan& plan, const Attention& attention, const MixerOnDevice& in)
{
    const AttentionTensors at(attention);
    const Shape& shape = in.shape;
    const QueriesKeysValues rows = preparedRows(plan, attention, in);
    const std::vector<int> columns = numbers(0, rows.k->columns);
    const ScoreSize size{.batch = shape.batch,
                         .queries = shape.sequence,
                         .keys = shape.context,
                         .heads = attention.heads,
                         .groupSize = attention.heads / attention.kvHeads,
                         .firstPosition = shape.context - shape.sequence,
                         .back = attention.reachBack(shape.context),
                         .forward = attention.reachForward(shape.context)};
    const ScoreSteps steps = stepsOf(plan, attention, in);
    Tensor* const mixed = attended(plan,
                                   attention.algorithm,
                                   size,
                                   steps,
                                   rows.q,
                                   withCached(plan, shape, in.cachedKeys, rows.k, columns),
                                   withCached(plan, shape, in.cachedValues, rows.v, columns));
    return linear(plan, mixed, shape.dModel, in.weights[at.out], tensorAt(in.weights, at.outBias));
}

} // namespace flopsmith::cuda
