// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/ffn/hidden/hidden_layer_backward.h"

#include <cstdint>

namespace flopsmith::cpu {

/// The backward pass of a single dense or gated FFN: every step on all tokens.
class PlainBackwardStage : public BackwardStage
{
public:
    PlainBackwardStage(const HiddenLayerBackward& layer, const StageSize& size);

    void save(const float* x, float* y) override;
    void run(const float* dy, float* dx) override;

private:
    template <class Step>
    void onSlices(std::int64_t rows, std::int64_t columns, const Step& step) const;

    HiddenLayerBackward m_layer;
    StageSize m_size;
    const float* m_x = nullptr;
    HiddenBuffers m_hidden;
};

} // namespace flopsmith::cpu
