// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/factored/monarch.h"
#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/stage.h"
#include "core/kernels/weights.h"

#include <cstdint>

namespace flopsmith::cpu {

/// Products with a block-diagonal factor on the calling thread. The weight [in/b, out] is borrowed.
///
/// A tile holds some tokens as [features, width], so that every b-th feature is a matrix with a
/// larger row stride and nothing is shuffled; `width` is a multiple of the register width, and
/// missing tokens are padding columns.
class BlockProduct
{
public:
    BlockProduct(const BlockFactor& factor, const float* weight, Precision precision);

    /// y = x·F for tiles x [in, width] and y [out, width].
    void forward(const float* x, float* y, std::int64_t width) const;

    /// dx = dy·Fᵀ for tiles.
    void backwardInput(const float* dy, float* dx, std::int64_t width) const;

    /// gradient (+)= xᵀ·dy, in the layout of the weight.
    void backwardWeight(const float* x,
                        const float* dy,
                        std::int64_t width,
                        float* gradient,
                        Into into) const;

    /// Some tokens by one block: x [tokens, in] → block k's outputs [tokens, out/b]. `scratch` takes
    /// tokens·in/b floats.
    void forwardBlock(const float* x,
                      float* outputs,
                      std::int64_t tokens,
                      int block,
                      float* scratch) const;

    const BlockFactor& factor() const { return m_factor; }
    std::int64_t macsPerToken() const { return std::int64_t{m_factor.blockIn()} * m_factor.out; }

private:
    MatrixAt<const float> weightOf(int block) const;

    BlockFactor m_factor;
    const float* m_weight;
    Precision m_precision;
};

/// act(x·W + b) by two block-diagonal factors.
class MonarchLayer
{
public:
    /// The destinations of the gradients of factors and bias; null without a bias.
    struct Gradients
    {
        float* first;
        float* second;
        float* bias;
    };

    /// `tensors`: first factor, second factor and perhaps a bias; borrowed.
    MonarchLayer(const MonarchMatrix& matrix,
                 WeightView<float> tensors,
                 bool bias,
                 Precision precision);

    /// Tiles: x [in, width] → between [d, width], y [out, width].
    void forward(const float* x, float* between, float* y, std::int64_t width) const;

    /// dx and gradients (+)= … from dy, all tiles. Columns of tokens that are missing must be 0 in dy.
    void backward(const float* x,
                  const float* between,
                  const float* dy,
                  float* dBetween,
                  float* dx,
                  std::int64_t width,
                  const Gradients& gradients,
                  Into into) const;

    /// For few tokens, with all threads at one factor after the other: x [tokens, in] → between
    /// [tokens, d], y = act(x·W + b) [tokens, out]. `scratch` takes scratchElements() floats for
    /// each thread.
    void forwardRows(const float* x,
                     float* between,
                     float* y,
                     std::int64_t tokens,
                     Activation activation,
                     Threads threads,
                     float* scratch) const;
    std::int64_t scratchElements(std::int64_t tokens) const;

    std::int64_t in() const { return m_first.factor().in; }
    std::int64_t width() const { return m_first.factor().out; }
    std::int64_t out() const { return m_second.factor().out; }
    std::int64_t macsPerToken() const { return m_first.macsPerToken() + m_second.macsPerToken(); }

    const float* bias() const { return m_bias; } ///< null if there is none

private:
    BlockProduct m_first;
    BlockProduct m_second;
    const float* m_bias;
};

/// Tensors of one of the two matrices of a Monarch FFN.
inline std::size_t tensorsPerMatrix(const MonarchFfn& ffn)
{
    return ffn.bias ? 3 : 2;
}

/// The two layers of a Monarch FFN; `weights` are all of its tensors.
MonarchLayer upLayer(const MonarchFfn& ffn, const StageSize& size, WeightView<float> weights);
MonarchLayer downLayer(const MonarchFfn& ffn, const StageSize& size, WeightView<float> weights);

/// Some tokens of rows [tokens, features] as a tile [features, width], and back. Columns of the
/// tile after the last token become 0.
void toTile(const float* rows,
            std::int64_t features,
            std::int64_t tokens,
            float* tile,
            std::int64_t width);
void fromTile(const float* tile,
              std::int64_t features,
              std::int64_t width,
              float* rows,
              std::int64_t tokens);

/// Tokens of a tile: whole registers, few enough that a tile's arrays stay in the second-level
/// cache, many enough that each reading of the weights serves many.
std::int64_t tileWidth(const MonarchFfn& ffn, const StageSize& size, std::int64_t minWidth);

} // namespace flopsmith::cpu
