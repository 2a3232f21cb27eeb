// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

// Numbers of 16 bits: bfloat16, the upper half of a float, and binary16 of IEEE 754.
namespace flopsmith {

struct Bfloat16
{
    std::uint16_t bits = 0;

    bool operator==(const Bfloat16&) const = default;
};

struct Float16
{
    std::uint16_t bits = 0;

    bool operator==(const Float16&) const = default;
};

/// Round to nearest, ties to even. Values beyond the largest become infinite, NaN stays NaN.
Bfloat16 roundedToBfloat16(float value);

/// Rounded once, not to a float in between.
Bfloat16 roundedToBfloat16(double value);

float floatOf(Bfloat16 value);
float floatOf(Float16 value);

} // namespace flopsmith
