// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/fast/ffn_executor.h"
#include "core/fast/model_executor.h"
#include "core/kernels/cpu/fft/fft_plan.h"
#include "core/train/engine.h"

#include <utility>
#include <vector>

namespace flopsmith {

/// The CPU kernels. Training must give the same numbers in every run, so FFTs are planned without
/// measuring from then on.
inline Engine<float> fastEngine(cpu::Threads threads)
{
    cpu::setFftPlanning(cpu::FftPlanning::repeatable);
    return {
        .model = [threads](ModelPlan plan) { return fastModelExecutor(std::move(plan), threads); },
        .ffn =
            [threads](FfnSpec ffn, Shape shape, std::vector<float> classes) {
                return fastFfnExecutor(std::move(ffn), shape, std::move(classes), threads);
            }};
}

} // namespace flopsmith
