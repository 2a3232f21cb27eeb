// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/ffn/kronecker/kronecker_layer.h"
#include "core/kernels/cpu/stage.h"

namespace flopsmith::cpu {

/// Tensors of one of the two matrices of a Kronecker FFN.
inline std::size_t tensorsPerMatrix(const KroneckerFfn& ffn)
{
    return ffn.bias ? 3 : 2;
}

/// The two layers of a Kronecker FFN, without activations; `weights` are all of its tensors.
KroneckerLayer upLayer(const KroneckerFfn& ffn,
                       const StageSize& size,
                       WeightView<float> weights,
                       Passes passes);
KroneckerLayer downLayer(const KroneckerFfn& ffn,
                         const StageSize& size,
                         WeightView<float> weights,
                         Passes passes);

/// How the tokens are cut into blocks. Where all factors fit a thread's cache, each thread takes
/// blocks of tokens through both layers, so that intermediate values stay in the cache too. With
/// few tokens, or factors so large that many tokens should share a pass over them, all threads work
/// on one product at a time.
struct KroneckerBlocks
{
    bool perThread = false;
    std::int64_t tokens = 1; ///< in a block
    std::int64_t atOnce = 1; ///< blocks at the same time

    KroneckerBlocks(const KroneckerFfn& ffn, const StageSize& size, Passes passes);
};

} // namespace flopsmith::cpu
