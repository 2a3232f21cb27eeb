// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ffn/ffn.h"
#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/cpu/simd/streaming_store.h"
#include "core/kernels/cpu/threads/threads.h"
#include "core/kernels/cpu/variants.h"
#include "core/kernels/shape.h"
#include "core/kernels/weights.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace flopsmith::cpu {

/// The sizes that a stage is prepared for.
struct StageSize
{
    std::int64_t tokens = 1;
    int dModel = 768;
    Threads threads;
    std::int64_t sequence = 1; ///< tokens of one sequence, for stages that look at neighbours
    Precision precision = Precision::float32; ///< of the operands of products

    std::int64_t activations() const { return tokens * dModel; }
};

inline StageSize stageSizeOf(const Shape& shape,
                             Threads threads,
                             Precision precision = Precision::float32)
{
    return {.tokens = static_cast<std::int64_t>(shape.tokens()),
            .dModel = shape.dModel,
            .threads = threads,
            .sequence = shape.sequence,
            .precision = precision};
}

class TokenStage;

/// An FFN of any kind, ready to run: the unit that FFN kernels and compositions are made of.
class Stage
{
public:
    virtual ~Stage() = default;
    Stage() = default;
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    /// y = stage(x) for all tokens, on all threads. x and y are [tokens, d] and do not overlap.
    virtual void run(const float* x, float* y) = 0;

    /// Renews copies of the weights, where the stage keeps any.
    virtual void weightsChanged() {}

    /// This stage if it treats each token alone and cheaply, otherwise null.
    virtual TokenStage* asTokenStage() { return nullptr; }
};

/// A stage that works through the tokens in blocks small enough for the cache, separate ones for
/// each thread; a composition of such stages runs all of them on one block before the next.
class TokenStage : public Stage
{
public:
    explicit TokenStage(const StageSize& size);

    void run(const float* x, float* y) final;
    TokenStage* asTokenStage() final { return this; }

    /// Computations once per pass instead of per token (gates). Called before the blocks.
    virtual void begin() {}

    /// The first `tokens` ≤ blockTokens() of x, on behalf of one thread with its own scratch.
    virtual void runBlock(const float* x, float* y, int tokens, int thread) = 0;

    int dModel() const { return m_size.dModel; }
    int threads() const { return m_size.threads.count; }
    int blockTokens() const { return m_blockTokens; }

protected:
    /// How runBlock() had better write y: by streaming stores only if run() called it, since a
    /// composition reads it again soon.
    StoreKind storeKind() const { return m_storeKind; }

private:
    StageSize m_size;
    int m_blockTokens;
    StoreKind m_storeKind = StoreKind::cached;
};

/// Tokens in a block of a TokenStage.
int blockTokensOf(const StageSize& size);

/// One function per variant of the registry, in the source of its name. `weights` are borrowed and
/// begin with the stage's own.
#define FLOPSMITH_DECLARE_STAGE(Spec)                                                              \
    Result<std::unique_ptr<Stage>> makeStage(                                                      \
        const Spec& ffn, const StageSize& size, WeightView<float> weights);
FLOPSMITH_FFN_VARIANTS(FLOPSMITH_DECLARE_STAGE)
#undef FLOPSMITH_DECLARE_STAGE

/// Of an FFN of any kind: an Error if it has no kernel.
Result<std::unique_ptr<Stage>> makeStage(const FfnSpec& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights);

} // namespace flopsmith::cpu
