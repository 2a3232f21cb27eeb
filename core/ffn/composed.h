// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/count/cost_tree.h"
#include "core/count/numbers.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

#include <cstdint>
#include <vector>

namespace flopsmith {

enum class CompositionMode {
    parallel, ///< y = Σ_s σ(g_s) ⊙ stage_s(x)
    sequential, ///< z ← z + σ(g_s) ⊙ stage_s(z) from z = x; y = z − x
};

template <>
std::vector<std::string_view> enumNames<CompositionMode>();

enum class GateKind { none, scalar, channel };

template <>
std::vector<std::string_view> enumNames<GateKind>();

struct FfnStage; // an FfnSpec of any kind; see core/ffn/ffn.h

/// An FFN made of stages of this family, side by side or one after the other, each behind a
/// learned gate. In training, dropout follows: y ← m ⊙ y/(1 − p), m_i = 0 with probability p, else 1.
struct ComposedFfn
{
    CompositionMode mode = CompositionMode::parallel;
    GateKind gate = GateKind::scalar;
    double dropout = 0.0; ///< p in [0, 1)
    int dropoutSeed = 1; ///< draws the mask of a training pass
    std::vector<FfnStage> stages;

    bool operator==(const ComposedFfn& other) const;

    bool drops() const { return dropout > 0.0; }

    static const VariantInfo& info();
    static const std::vector<Field<ComposedFfn>>& fields();
};

/// gates [stages, 1] or [stages, d] if gated, then the weights of each stage in order, their
/// names preceded by "stage[i]/".
WeightShapes weights(const ComposedFfn& ffn, int dModel);

/// The mask of a training pass. An element's draw depends on the seed and its index alone, so that
/// every back end drops the same ones in whichever order.
class DropoutMask
{
public:
    explicit DropoutMask(const ComposedFfn& ffn);

    /// What element i of y is multiplied by: 0 or 1/(1 − p).
    double factor(std::size_t i) const;

private:
    std::uint64_t m_seed;
    std::uint64_t m_dropped; ///< draws below this one, of 2^24
    double m_scale;
};

/// Dropout of `n` elements in the forward pass of training: 1 cmp of each draw with p and 1 mul by
/// m/(1 − p). The generator works on integers, which are no operations here. Kept for the backward
/// pass: the mask.
template <class N>
Cost<N> dropoutCost(const N& n)
{
    return {.count = {.mul = n, .cmp = n}, .traffic = {.read = n, .written = N(2) * n}, .saved = n};
}

/// dy by the same mask: 1 mul each.
template <class N>
Cost<N> dropoutBackwardCost(const N& n)
{
    return {.count = {.mul = n}, .traffic = {.read = N(2) * n, .written = n}};
}

/// The gates and sums around n stages.
///   gates       n or n·d sigmoids once per pass: 1 add, 1 div, 1 exp each; then n·T·d mul
///   parallel    (n−1)·T·d add
///   sequential  n·T·d add, and T·d for y = z − x
/// Kept for the backward pass: the outputs of gated stages and the opened gates; in sequence, the
/// inputs of all stages but the first.
template <class N>
Cost<N> combinationCost(const ComposedFfn& ffn, const Pass<N>& pass, const N& stages)
{
    const N n = pass.tokens() * pass.dModel;
    const bool parallel = ffn.mode == CompositionMode::parallel;
    Cost<N> cost{.count = {.add = (parallel ? N(stages - N(1)) : N(stages + N(1))) * n},
                 .traffic = {.read = (parallel ? stages : N(N(2) * stages + N(2))) * n,
                             .written = (parallel ? N(1) : N(stages + N(1))) * n}};
    if (ffn.gate != GateKind::none) {
        const N gates = ffn.gate == GateKind::channel ? N(stages * pass.dModel) : stages;
        cost.count += {.mul = stages * n, .add = gates, .div = gates, .exp = gates};
        cost.traffic.weights = gates;
        cost.parameters = ParameterCount<N>::dense(gates);
        cost.saved = stages * n + gates;
    }
    if (!parallel) {
        cost.saved += (stages - N(1)) * n;
    }
    return cost;
}

/// Backward of the same. A gate σ(g) needs d(output of the stage) = σ ⊙ dz and
/// dg = Σ dz·stage(z) · σ·(1 − σ), where dz is dy itself side by side.
///   gates       n·T·d mul for σ ⊙ dz; n·T·d mul and n·T·d add less one per gate for the sums;
///               then per gate 2 mul, 1 add
///   parallel    (n−1)·T·d add
///   sequential  n·T·d add, and T·d for dx = dz − dy
template <class N>
Cost<N> combinationBackwardCost(const ComposedFfn& ffn, const Pass<N>& pass, const N& stages)
{
    const N n = pass.tokens() * pass.dModel;
    const bool parallel = ffn.mode == CompositionMode::parallel;
    Cost<N> cost{.count = {.add = (parallel ? N(stages - N(1)) : N(stages + N(1))) * n},
                 .traffic = {.read = (parallel ? stages : N(N(2) * stages + N(2))) * n,
                             .written = (parallel ? N(1) : N(stages + N(1))) * n}};
    if (ffn.gate != GateKind::none) {
        const N gates = ffn.gate == GateKind::channel ? N(stages * pass.dModel) : stages;
        cost.count += {.mul = N(2) * stages * n + N(2) * gates, .add = stages * n};
        cost.traffic += {
            .weights = gates, .read = N(3) * stages * n, .written = stages * n, .gradients = gates};
    }
    return cost;
}

} // namespace flopsmith
