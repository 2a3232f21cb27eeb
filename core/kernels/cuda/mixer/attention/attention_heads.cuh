// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/block/elements.cuh"
#include "core/kernels/cuda/mixer/attention/attention_heads.h"

namespace flopsmith::cuda {

/// Rows q | k | v with their bias, queries and keys normalised.
struct NormedRows
{
    const float* x; ///< as projected
    int queryWidth;
    int keyWidth;
    int headDim;
    bool perHead;
    const float* bias;
    const float* gamma[2];
    const float* beta[2];
    const NormMeasure* measures[2]; ///< null without norms

    __device__ int stride() const { return queryWidth + 2 * keyWidth; }

    __device__ float at(std::int64_t row, int column) const
    {
        float value = x[row * stride() + column];
        if (bias != nullptr) {
            value += bias[column];
        }
        if (measures[0] == nullptr || column >= queryWidth + keyWidth) {
            return value;
        }
        const int part = column < queryWidth ? 0 : 1;
        const int own = part == 0 ? column : column - queryWidth;
        const int width = part == 0 ? queryWidth : keyWidth;
        const int features = perHead ? headDim : width;
        const int unit = own / features;
        const int feature = own - unit * features;
        const NormMeasure measure = measures[part][row * (width / features) + unit];
        value = (value - measure.centre) * measure.factor * gamma[part][feature];
        return beta[part] == nullptr ? value : value + beta[part][feature];
    }
};

} // namespace flopsmith::cuda
