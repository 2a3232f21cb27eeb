// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/composed.h"
#include "core/ffn/ffn.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/simd/lanes.h"
#include "core/kernels/weights.h"

namespace flopsmith::cpu {

/// The gates of all stages of a composition as factors σ(g) of d channels, computed once per pass.
/// The weights are borrowed.
class Gates
{
public:
    Gates(const ComposedFfn& ffn, int dModel, WeightView<float> weights);

    /// Number of the gates' tensors, which precede those of the stages.
    static std::size_t tensors(const ComposedFfn& ffn)
    {
        return ffn.gate == GateKind::none ? 0 : 1;
    }

    /// Computes the factors from the weights.
    void update();

    /// The stage's factors: one, or d.
    std::span<const float> factors(std::size_t stage) const;

    /// f(whole factor at channel i, some factors at channel i) for the stage, compiled for each
    /// kind.
    template <class F>
    void with(std::size_t stage, const F& f) const
    {
        if (m_kind == GateKind::channel) {
            const float* row = factors(stage).data();
            f([row](std::size_t i) { return load(row + i); },
              [row](std::size_t i, std::size_t n) { return loadSome(row + i, n); });
            return;
        }
        const Lanes factor = all(m_kind == GateKind::none ? 1.0F : m_factors.data()[stage]);
        f([factor](std::size_t) { return factor; },
          [factor](std::size_t, std::size_t) { return factor; });
    }

private:
    /// Factors of all stages.
    static std::int64_t count(const ComposedFfn& ffn, int dModel);

    GateKind m_kind;
    std::size_t m_dModel;
    const float* m_weights;
    Buffer m_factors; ///< σ(g)
};

/// sum = gate ⊙ term, or base + gate ⊙ term where there is a base; d channels.
void gateRow(const Gates& gates,
             std::size_t stage,
             const float* base,
             const float* term,
             float* sum,
             std::size_t d);

/// to = a − b and to = a + b; `to` may be either.
void subtractRow(const float* a, const float* b, float* to, std::size_t count);
void addRow(const float* a, const float* b, float* to, std::size_t count);

/// sums += a ⊙ b.
void addProductRow(const float* a, const float* b, float* sums, std::size_t count);

} // namespace flopsmith::cpu
