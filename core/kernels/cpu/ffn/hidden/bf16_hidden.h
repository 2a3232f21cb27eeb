// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/ffn/hidden/hidden_blocks.h"
#include "core/kernels/cpu/ffn/hidden/hidden_layer.h"
#include "core/kernels/cpu/gemm/bf16/bf16_rows.h"
#include "core/kernels/cpu/stage.h"

#include <cstdint>

namespace flopsmith::cpu {

/// A dense or gated FFN in bfloat16 whose hidden activations are rounded as soon as they are there,
/// straight into the order of the product that reads them.
class RoundedHiddenStage : public Stage
{
public:
    /// Whether tokens are enough to be more than a walk through the weights.
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
