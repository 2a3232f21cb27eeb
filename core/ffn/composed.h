// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/ffn/ffn.h"
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

/// A stage of a composed FFN: any FFN, so that compositions nest.
struct FfnStage
{
    FfnSpec spec;

    bool operator==(const FfnStage&) const = default;
};

/// An FFN made of stages of this family, parallel or sequential, each behind a learned gate. In
/// training, dropout follows: y ← m ⊙ y/(1 − p), m_i = 0 with probability p, otherwise 1.
struct ComposedFfn
{
    CompositionMode mode = CompositionMode::parallel;
    GateKind gate = GateKind::scalar;
    double dropout = 0.0; ///< p in [0, 1)
    int dropoutSeed = 1; ///< draws the mask of a training pass
    std::vector<FfnStage> stages;

    bool operator==(const ComposedFfn&) const = default;

    bool drops() const { return dropout > 0.0; }

    static const VariantInfo& info();
    static const std::vector<Field<ComposedFfn>>& fields();
};

/// Parallel [spectral, polynomial, micro-refine], each behind a scalar gate, dropout 0.1: a
/// drop-in for GPT-2's MLP.
ComposedFfn ultraEfficientSparseFfn();

/// Sequential [spectral top-k, sparse polynomial, sparse token feedback, sparse Kronecker], each
/// behind a scalar gate, for a model of width d; the Kronecker stage has the hidden width f and
/// factors as square as the divisors of d and f allow.
ComposedFfn ultraEfficientFfn(int dModel, int dFf);

/// The FFN and its stages with dropout off.
FfnSpec withoutDropout(FfnSpec ffn);

/// gates [stages, 1] or [stages, d] if gated, then the weights of each stage in order, their
/// names preceded by "stage[i]/".
WeightShapes weights(const ComposedFfn& ffn, int dModel);

/// The mask of a training pass. An element's draw depends only on the seed and its index, so that
/// every back end drops the same elements in any order.
class DropoutMask
{
public:
    explicit DropoutMask(const ComposedFfn& ffn);

    /// The factor of element i of y: 0 or 1/(1 − p).
    double factor(std::size_t i) const;

private:
    std::uint64_t m_seed;
    std::uint64_t m_dropped; ///< draws below this one, of 2^24
    double m_scale;
};

} // namespace flopsmith
