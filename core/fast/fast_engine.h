// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/fast/ffn_executor.h"
#include "core/fast/model_executor.h"
#include "core/train/engine.h"

#include <utility>
#include <vector>

namespace flopsmith {

/// The CPU kernels.
inline Engine<float> fastEngine(cpu::Threads threads)
{
    return {
        .model = [threads](ModelPlan plan) { return fastModelExecutor(std::move(plan), threads); },
        .ffn =
            [threads](FfnSpec ffn, Shape shape, std::vector<float> classes) {
                return fastFfnExecutor(std::move(ffn), shape, std::move(classes), threads);
            }};
}

} // namespace flopsmith
