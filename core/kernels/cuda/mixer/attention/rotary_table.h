// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/device.h"
#include "core/mixer/rope.h"

#include <cstdint>

namespace flopsmith::cuda {

/// Cosines and sines of RoPE for positions first … first + count − 1: [count, features/2] each.
class RotaryTable
{
public:
    RotaryTable() = default;
    RotaryTable(const Device& device, int first, int count, int features, const Rope& rope);

    const float2* data() const { return m_values.data(); } ///< (cos, sin)

private:
    DeviceBuffer<float2> m_values;
};

/// Each token has `units` consecutive pieces of `width` features from `column` on; the last
/// `features` of each piece are rotated.
struct TailsToRotate
{
    std::int64_t tokens = 0;
    int sequence = 1; ///< tokens of a sequence
    std::int64_t stride = 0;
    int column = 0;
    int units = 1;
    int width = 0;
    int features = 0;
};
void rotateTails(const Device& device,
                 const TailsToRotate& tails,
                 const float2* table,
                 bool back,
                 float* rows);

} // namespace flopsmith::cuda
