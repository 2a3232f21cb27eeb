// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/layer/activation.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

namespace flopsmith {

/// Which features a block of a block-diagonal factor reads and writes.
enum class BlockOrder {
    neighbours, ///< block k: in/b inputs from k·in/b on, out/b outputs from k·out/b on
    strided, ///< block k: every b-th input and output, from the k-th on
};

/// A block-diagonal factor: b matrices [in/b, out/b] side by side in one tensor [in/b, out].
struct BlockFactor
{
    int in = 1;
    int out = 1;
    int blocks = 1; ///< b, divides both
    BlockOrder order = BlockOrder::neighbours;

    int blockIn() const { return in / blocks; }
    int blockOut() const { return out / blocks; }

    /// From one input or output of a block to its next one, and from one block's to the next's.
    int stride() const { return order == BlockOrder::strided ? blocks : 1; }
    int inputStep() const { return order == BlockOrder::strided ? 1 : blockIn(); }
    int outputStep() const { return order == BlockOrder::strided ? 1 : blockOut(); }

    bool operator==(const BlockFactor&) const = default;
};

/// W [in, out] as the product of two block-diagonal factors. The second has strided blocks: if b ≤
/// √width, each reads some feature of every block of the first, and W has no zeros.
struct MonarchMatrix
{
    BlockFactor first; ///< [in, width], blocks of neighbours
    BlockFactor second; ///< [width, out], strided blocks

    int in() const { return first.in; }
    int width() const { return first.out; } ///< between the factors
    int out() const { return second.out; }

    bool operator==(const MonarchMatrix&) const = default;
};

/// Monarch FFN: y = act(x·W₁ + b₁)·W₂ + b₂ where both matrices are two block-diagonal factors of b
/// blocks each, with d features between them: W₁ has blocks [d/b, d/b], then [d/b, f/b], W₂ [f/b,
/// d/b], then [d/b, d/b]. Both may have full rank and share no parameter.
///
/// This is the rectangular form P·L·Pᵀ·R of Dao et al. 2022, "Monarch" (arXiv 2204.00595), which
/// Wei et al. 2024 call block shuffle; reading and writing every b-th feature are the shuffles
/// around L. So the hidden features of a block come from all blocks before it. Without the shuffle
/// after L, W₁ and W₂ would meet block by block, and their product would have only d²/b free
/// numbers.
struct MonarchFfn
{
    int dFf = 3072; ///< f
    int blocks = 24; ///< b, divides d and f
    Activation activation = Activation::geluTanh;
    bool bias = true;

    bool operator==(const MonarchFfn&) const = default;

    /// W₁ [d, f] and W₂ [f, d].
    MonarchMatrix up(int dModel) const;
    MonarchMatrix down(int dModel) const;

    /// The divisor of d and f nearest to √d: with it an FFN of width 4d needs about √d-fold fewer
    /// operations than a dense one.
    static int usualBlocks(int dModel, int dFf);

    static const VariantInfo& info();
    static const std::vector<Field<MonarchFfn>>& fields();
};

/// c_fc.first.weight [d/b, d], c_fc.second.weight [d/b, f], c_fc.bias, c_proj.first.weight
/// [f/b, d], c_proj.second.weight [d/b, d], c_proj.bias: the blocks of a factor side by side.
WeightShapes weights(const MonarchFfn& ffn, int dModel);

} // namespace flopsmith
