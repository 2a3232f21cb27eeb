// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/simd/buffer.h"

namespace flopsmith::cpu {

/// Some neighbouring tokens, worked on by one thread.
struct TokenBlock
{
    std::int64_t first = 0;
    int tokens = 1;
    int thread = 0;
};

/// The backward pass of a TokenStage, in blocks of tokens too. Every thread takes a fixed part of
/// the tokens and adds to sums of its own, which are then added in the order of the threads: the
/// gradients of the weights are the same in every run.
class TokenBackwardStage : public BackwardStage
{
public:
    /// `sums`: how many numbers are summed over the tokens.
    TokenBackwardStage(const StageSize& size, std::size_t sums);

    void save(const float* x, float* y) final;
    void run(const float* dy, float* dx) final;

protected:
    int dModel() const { return m_size.dModel; }
    int threads() const { return m_size.threads.count; }
    int blockTokens() const { return m_blockTokens; }

    /// How runBlock() had better write dx.
    StoreKind storeKind() const { return m_storeKind; }

    /// y of the block, and the activations that runBlock() needs. Pointers are to the block's first
    /// token.
    virtual void saveBlock(const float* x, float* y, const TokenBlock& block) = 0;

    /// Computations once per pass.
    virtual void begin() {}

    /// dx of the block; adds to `sums`, the thread's own.
    virtual void runBlock(const float* dy, float* dx, float* sums, const TokenBlock& block) = 0;

    /// The gradients of the weights from the sums over all tokens.
    virtual void finish(const float* sums) = 0;

private:
    template <class Work>
    void forEachBlock(int part, const Work& work) const;
    float* sumsOf(int thread);
    void addUp();

    StageSize m_size;
    int m_blockTokens;
    Threads m_busy;
    StoreKind m_storeKind = StoreKind::cached;
    std::size_t m_stride; ///< of the sums of one thread: whole cache lines
    Buffer m_sums;
};

} // namespace flopsmith::cpu
