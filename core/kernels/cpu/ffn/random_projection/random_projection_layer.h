// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/ffn/random_projection/gathered_sums.h"
#include "core/kernels/cpu/ffn/random_projection/random_projection_tiles.h"
#include "core/kernels/cpu/ffn/random_projection/signed_sums.h"
#include "core/kernels/cpu/ffn/random_projection/token_tile.h"
#include "core/kernels/cpu/simd/activation.h"

#include <variant>

namespace flopsmith::cpu {

/// One of the matrices or its transpose, arranged for the tiles that will come: a token that comes
/// alone does not fill a register, rows do.
class SignProduct
{
public:
    SignProduct(const SignMatrix& matrix, Stored stored, const StageSize& size);

    int panels() const
    {
        return std::visit([](const auto& sums) { return sums.panels(); }, m_sums);
    }

    Range rowsOf(int panel) const
    {
        return std::visit([=](const auto& sums) { return sums.rowsOf(panel); }, m_sums);
    }

    /// As SignedSums::run().
    void run(const float* from, float* sums, int width, int panel) const;

private:
    std::variant<SignedSums, GatheredSums> m_sums;
};

/// Both matrices, as they are or transposed, with what a tile goes through on its way.
class Projections
{
public:
    Projections(const RandomProjectionFfn& ffn, const StageSize& size, Stored stored)
        : m_dModel(size.dModel)
        , m_inward(ffn.inward(size.dModel), stored, size)
        , m_outward(ffn.outward(size.dModel), stored, size)
    {}

    /// y = last·R₂·f(R₁·x): the first product fills the features panel by panel, and f(rows)
    /// changes those of a panel while they are in the cache.
    template <class Each, class F>
    void forward(const float* x,
                 const ProjectionTile& tile,
                 float last,
                 float* y,
                 const Each& each,
                 const F& f) const
    {
        run(m_inward, m_outward, x, 1.0F, tile, last, y, each, f);
    }

    /// dx = last·R₁ᵀ·f(R₂ᵀ·(factor·dy)) if the matrices are stored transposed.
    template <class Each, class F>
    void backward(const float* dy,
                  float factor,
                  const ProjectionTile& tile,
                  float last,
                  float* dx,
                  const Each& each,
                  const F& f) const
    {
        run(m_outward, m_inward, dy, factor, tile, last, dx, each, f);
    }

private:
    template <class Each, class F>
    void run(const SignProduct& intoFeatures,
             const SignProduct& outOfFeatures,
             const float* from,
             float factor,
             const ProjectionTile& tile,
             float last,
             float* to,
             const Each& each,
             const F& f) const
    {
        const std::int64_t d = m_dModel;
        const std::int64_t at = tile.first * d;
        intoTile(from + at, tile.tokens, d, factor, {0, d}, tile.narrow, tile.width);
        each(intoFeatures.panels(), [&](int panel) {
            intoFeatures.run(tile.narrow, tile.features, tile.width, panel);
            f(intoFeatures.rowsOf(panel));
        });
        each(outOfFeatures.panels(), [&](int panel) {
            outOfFeatures.run(tile.features, tile.result, tile.width, panel);
            const Range rows = outOfFeatures.rowsOf(panel);
            outOfTile(tile.result, tile.width, last, rows, to + at, tile.tokens, d);
        });
    }

    std::int64_t m_dModel;
    SignProduct m_inward;
    SignProduct m_outward;
};

/// features ← g ⊙ act(α·features + b) for some rows; the slopes of the activation and what comes out
/// of it are kept where there is room for it.
struct ProjectionFinish
{
    Activation activation;
    float alpha;
    const float* gain;
    const float* bias;

    void operator()(const ProjectionTile& tile,
                    const Range& rows,
                    float* slopes,
                    float* hidden) const;
};

ProjectionFinish finishOf(const RandomProjectionFfn& ffn, int dModel, WeightView<float> weights);

} // namespace flopsmith::cpu
