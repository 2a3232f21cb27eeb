// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/block/activation.cuh"
#include "core/kernels/cuda/ffn/moe/moe_experts.h"

// The weighted sum of the experts' outputs, for both passes.
namespace flopsmith::cuda {

/// y = Σ w·(out + bias) over the experts of a token, ascending, plus the shared experts' output.
struct Combine
{
    int perToken;
    std::int64_t d;
    const int* rowOfPlace;
    const int* expertOfRow;
    const float* weights; ///< null: 1
    const float* out;
    const float* const* biases;
    const float* shared; ///< null: none
    const float* gates; ///< of the shared experts, before σ; null: no gate
    float* y;

    template <int N>
    __device__ void operator()(std::int64_t token, std::int64_t column, Width<N>) const
    {
        Pack<float, N> sum{};
        for (std::int64_t place = token * perToken; place < (token + 1) * perToken; ++place) {
            const int row = rowOfPlace[place];
            const float weight = weights == nullptr ? 1.0F : weights[place];
            const Pack<float, N> values = load<N>(out + row * d + column);
            const float* const bias = biases == nullptr ? nullptr : biases[expertOfRow[row]];
            for (int i = 0; i < N; ++i) {
                const float added = bias == nullptr ? 0.0F : bias[column + i];
                sum.at[i] += weight * (values.at[i] + added);
            }
        }
        if (shared != nullptr) {
            const Pack<float, N> values = load<N>(shared + token * d + column);
            const float open = gates == nullptr ? 1.0F : sigmoid(gates[token]);
            for (int i = 0; i < N; ++i) {
                sum.at[i] += open * values.at[i];
            }
        }
        store<N>(y + token * d + column, sum);
    }
};

} // namespace flopsmith::cuda
