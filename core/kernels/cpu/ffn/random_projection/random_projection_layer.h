// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/ffn/random_projection/gathered_sums.h"
#include "core/kernels/cpu/ffn/random_projection/random_projection_tiles.h"
#include "core/kernels/cpu/ffn/random_projection/signed_sums.h"
#include "core/kernels/cpu/ffn/random_projection/token_tile.h"
#include "core/kernels/cpu/simd/activation.h"

#include <variant>

namespace flopsmith::cpu {

/// One of the matrices or its transpose: GatheredSums for a single token, which does not fill a
/// register, otherwise SignedSums.
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

/// Both matrices, transposed or not, and the passes of a tile through them.
class Projections
{
public:
    Projections(const RandomProjectionFfn& ffn, const StageSize& size, Stored stored)
        : m_dModel(size.dModel)
        , m_up(ffn.inputProjection(size.dModel), stored, size)
        , m_down(ffn.outputProjection(size.dModel), stored, size)
    {}

    /// y = outputScale·R₂·f(R₁·x). The first product computes the features panel by panel; f(rows)
    /// is applied to a panel's while they are in the cache.
    template <class Each, class F>
    void forward(const float* x,
                 const ProjectionTile& tile,
                 float outputScale,
                 float* y,
                 const Each& each,
                 const F& f) const
    {
        run(m_up, m_down, x, 1.0F, tile, outputScale, y, each, f);
    }

    /// dx = outputScale·R₁ᵀ·f(R₂ᵀ·(inputScale·dy)) if the matrices are stored transposed.
    template <class Each, class F>
    void backward(const float* dy,
                  float inputScale,
                  const ProjectionTile& tile,
                  float outputScale,
                  float* dx,
                  const Each& each,
                  const F& f) const
    {
        run(m_down, m_up, dy, inputScale, tile, outputScale, dx, each, f);
    }

private:
    template <class Each, class F>
    void run(const SignProduct& up,
             const SignProduct& down,
             const float* from,
             float inputScale,
             const ProjectionTile& tile,
             float outputScale,
             float* to,
             const Each& each,
             const F& f) const
    {
        const std::int64_t d = m_dModel;
        const std::int64_t at = tile.first * d;
        intoTile(from + at, tile.tokens, d, inputScale, {0, d}, tile.input, tile.width);
        each(up.panels(), [&](int panel) {
            up.run(tile.input, tile.features, tile.width, panel);
            f(up.rowsOf(panel));
        });
        each(down.panels(), [&](int panel) {
            down.run(tile.features, tile.output, tile.width, panel);
            const Range rows = down.rowsOf(panel);
            outOfTile(tile.output, tile.width, outputScale, rows, to + at, tile.tokens, d);
        });
    }

    std::int64_t m_dModel;
    SignProduct m_up;
    SignProduct m_down;
};

/// features ← g ⊙ act(α·features + b) for some rows. Saves the slopes and the output of the
/// activation unless the pointers are null.
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
