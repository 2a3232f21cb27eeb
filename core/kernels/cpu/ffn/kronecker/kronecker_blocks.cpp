// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/kronecker/kronecker_blocks.h"

#include "core/kernels/cpu/ffn/hidden/hidden_blocks.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// The hidden layer and the values between the products of a matrix.
std::int64_t elementsPerToken(const KroneckerFfn& ffn, int dModel)
{
    return ffn.dFf + std::max(ffn.up(dModel).between(), ffn.down(dModel).between());
}

// Of all four factors.
std::int64_t entriesOf(const KroneckerFfn& ffn, int dModel)
{
    const KroneckerMatrix up = ffn.up(dModel);
    const KroneckerMatrix down = ffn.down(dModel);
    return up.a.entries() + up.b.entries() + down.a.entries() + down.b.entries();
}

} // namespace

KroneckerLayer upLayer(const KroneckerFfn& ffn,
                       const StageSize& size,
                       WeightView<float> weights,
                       Passes passes)
{
    return {ffn.up(size.dModel),
            ffn.keptColumns(KroneckerFfn::Factor::upA, size.dModel),
            ffn.keptColumns(KroneckerFfn::Factor::upB, size.dModel),
            weights,
            ffn.bias,
            passes,
            size.precision};
}

KroneckerLayer downLayer(const KroneckerFfn& ffn,
                         const StageSize& size,
                         WeightView<float> weights,
                         Passes passes)
{
    return {ffn.down(size.dModel),
            ffn.keptColumns(KroneckerFfn::Factor::downA, size.dModel),
            ffn.keptColumns(KroneckerFfn::Factor::downB, size.dModel),
            weights.subspan(tensorsPerMatrix(ffn)),
            ffn.bias,
            passes,
            size.precision};
}

KroneckerBlocks::KroneckerBlocks(const KroneckerFfn& ffn, const StageSize& size, Passes passes)
{
    constexpr std::int64_t kFactorElements = 1 << 18; // 1 MiB of a second-level cache
    // A block of the backward pass is smaller: it reads and writes more arrays per token.
    const std::int64_t blockElements = passes == Passes::forward ? 1 << 17 : 1 << 15;
    const std::int64_t minTokens = passes == Passes::forward ? 1 : 4;
    const std::int64_t perToken = elementsPerToken(ffn, size.dModel);
    const std::int64_t threads = size.threads.count;
    perThread = entriesOf(ffn, size.dModel) <= kFactorElements && size.tokens >= 4 * threads;
    if (perThread) {
        atOnce = threads;
        tokens = std::clamp(blockElements / perToken, minTokens, size.tokens / threads);
    } else if (passes == Passes::forward) {
        tokens = HiddenBlocks(size.tokens, perToken).elements() / perToken;
    } else {
        tokens = size.tokens; // the saved activations are as large
    }
}

} // namespace flopsmith::cpu
