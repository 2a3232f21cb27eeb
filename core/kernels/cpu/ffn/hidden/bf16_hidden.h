// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/ffn/hidden/hidden_blocks.h"
#include "core/kernels/cpu/ffn/hidden/hidden_layer.h"
#include "core/kernels/cpu/gemm/bf16/bf16_rows.h"
#include "core/kernels/cpu/stage.h"

#include <cstdint>

namespace flopsmith::cpu {

/// A dense or gated FFN in bfloat16. Hidden activations are rounded as soon as they are computed,
/// into the tiles that the down projection reads.
class RoundedHiddenStage : public Stage
{
public:
    /// Whether there are so many tokens that reading the weights is not all that matters.
    static bool isFor(const StageSize& size);

    RoundedHiddenStage(const HiddenLayer& layer, const StageSize& size, std::int64_t dFf);

    void run(const float* x, float* y) override;

private:
    void projectUp(const Slice& slice);
    void projectUpGated(const Slice& slice);
    void projectDown(float* y, const Slice& slice) const;

    HiddenLayer m_layer;
    std::int64_t m_dModel;
    std::int64_t m_dFf;
    Threads m_threads;
    HiddenBlocks m_blocks;
    RoundedRows m_x;
    RoundedRows m_hidden;
};

} // namespace flopsmith::cpu
