// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/token_feedback/token_feedback_steps.h"

#include "core/kernels/cpu/ffn/token_feedback/token_feedback_gates.h"
#include "core/kernels/cpu/simd/activation.h"

#include <array>

namespace flopsmith::cpu {

FeedbackBuffers::FeedbackBuffers(const FeedbackShape& shape,
                                 FeedbackPass pass,
                                 std::int64_t tokens,
                                 int steps,
                                 Threads threads)
    : x(steps, tokens, shape.s)
    , previous(shape.previous ? steps : 0, tokens, shape.s)
    , u(steps, tokens, shape.r)
    , v(steps, tokens, shape.s)
    , z(pass == FeedbackPass::training ? steps : 0, tokens, shape.s)
    , slopes(pass == FeedbackPass::training ? steps : 0, tokens, shape.r)
    , lists(shape.topK ? steps : 0, tokens, shape.s)
    , carry(
          bufferSize(pass == FeedbackPass::inference && shape.previous ? shape.steps : 0, shape.d))
{
    for (int thread = 0; thread < threads.count; ++thread) {
        picking.emplace_back(shape);
    }
}

FeedbackSteps::FeedbackSteps(const TokenFeedbackFfn& spec,
                             const StageSize& at,
                             WeightView<float> weights)
    : ffn(spec)
    , size(at)
    , shape(spec, at)
    , m_weights(weights)
{
    for (int set = 0; set < ffn.weightSets(); ++set) {
        m_matrices.push_back({{shape.s,
                               shape.r,
                               weight(FeedbackTensor::down, set),
                               weight(FeedbackTensor::downBias, set)},
                              {shape.r, shape.s, weight(FeedbackTensor::up, set), nullptr}});
        m_matrices.back().down.computedIn(size.precision);
        m_matrices.back().up.computedIn(size.precision);
    }
}

void FeedbackSteps::pack(std::int64_t rows)
{
    for (DownAndUp<Linear>& matrices : m_matrices) {
        matrices.down.activatedBy(ffn.activation).packed(rows, size.threads);
        matrices.up.packed(rows, size.threads);
    }
}

void FeedbackSteps::run(float* features,
                        const Range& tokens,
                        FeedbackBuffers& buffers,
                        Threads inProducts) const
{
    for (int index = 0; index < shape.groups(); ++index) {
        const FeedbackGroup group = shape.group(index);
        for (int step = group.first; step < group.last; ++step) {
            pick(step, features, tokens, buffers);
        }
        multiply(group, tokens.size(), buffers, inProducts);
        for (int step = group.first; step < group.last; ++step) {
            refine(step, features, tokens.size(), buffers);
        }
    }
}

// A block that begins inside a sequence finds the token before it in the carry.
void FeedbackSteps::pick(int step,
                         const float* features,
                         const Range& tokens,
                         FeedbackBuffers& buffers) const
{
    const std::int64_t d = shape.d;
    const std::int64_t s = shape.s;
    float* const x = buffers.x.of(step, tokens.size());
    float* const previous = buffers.previous.of(step, tokens.size());
    int* const lists = buffers.lists.of(step, tokens.size());
    float* const carry = buffers.carry.size() == 0 ? nullptr : buffers.carry.data() + step * d;
    forEachToken(tokens.size(), buffers.threads(), [&](std::int64_t i, int thread) {
        const float* row = features + i * d;
        PickScratch& own = buffers.picking[static_cast<std::size_t>(thread)];
        const PickedFeatures chosen = pickFeatures(
            ffn, step, size.dModel, row, shape.topK ? lists + i * s : nullptr, own.mask.data());
        chosen.gather(row, x + i * s);
        if (shape.previous && isFirstOfSequence(tokens.first + i)) {
            std::fill_n(previous + i * s, s, 0.0F);
        } else if (shape.previous) {
            chosen.gather(i == 0 ? carry : row - d, previous + i * s);
        }
    });
    if (carry != nullptr) {
        std::copy_n(features + (tokens.size() - 1) * d, d, carry);
    }
}

// v = act(x·A + a)·B
void FeedbackSteps::multiply(const FeedbackGroup& group,
                             std::int64_t tokens,
                             FeedbackBuffers& buffers,
                             Threads threads) const
{
    const DownAndUp<Linear>& matrices = m_matrices[setOf(group.first)];
    const std::int64_t rows = group.size() * tokens;
    float* const u = buffers.u.of(group.first, tokens);
    matrices.down.run(buffers.x.of(group.first, tokens), u, rows, threads);
    if (float* const slopes = buffers.slopes.of(group.first, tokens); slopes != nullptr) {
        activateKeepingSlopes(ffn.activation, u, slopes, bufferSize(rows, shape.r));
    }
    matrices.up.run(u, buffers.v.of(group.first, tokens), rows, threads);
}

// x_S + sigmoid(c_S ⊙ φ_S + e_S) ⊙ v, in the features.
void FeedbackSteps::refine(int step,
                           float* features,
                           std::int64_t tokens,
                           FeedbackBuffers& buffers) const
{
    const float* phi = buffers.phi().of(step, tokens);
    const float* v = buffers.v.of(step, tokens);
    float* const z = buffers.z.of(step, tokens);
    int* const lists = buffers.lists.of(step, tokens);
    const std::array weights{weight(FeedbackTensor::gateScale, step),
                             weight(FeedbackTensor::gateShift, step)};
    forEachToken(tokens, buffers.threads(), [&](std::int64_t i, int thread) {
        const auto visit = [&](const auto& gates, const auto& row, int first, int n) {
            const std::int64_t j = i * shape.s + first;
            refineThroughGates({gates[0], gates[1]},
                               phi + j,
                               v + j,
                               z == nullptr ? nullptr : z + j,
                               row[0],
                               static_cast<std::size_t>(n));
        };
        picked(step, lists, i)
            .inRuns(weights, std::array{features + i * shape.d}, buffers.gathered(thread), visit);
    });
}

} // namespace flopsmith::cpu
