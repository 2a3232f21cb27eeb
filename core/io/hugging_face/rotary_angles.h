// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/hugging_face/config/config_reader.h"
#include "core/mixer/rope.h"

namespace flopsmith {

/// The base that a class assumes if its file has none.
struct RotaryDefaults
{
    double base = 10'000.0;
    double slidingBase = 0.0; ///< of blocks with a window (Gemma-3); 0: the same
};

/// The rotary angles of a model's blocks according to its file.
struct RotaryAngles
{
    Rope full; ///< of blocks without a window
    Rope sliding; ///< of blocks with a window
    /// Factor of 1/√h besides: the square of DeepSeek's mscale_all_dim at its factor.
    double scoreFactor = 1.0;
};

/// Reads base and stretching from rope_theta, rope_scaling and rope_parameters, as versions 4 and 5
/// of the library write them. Scalings that are not fixed angles (dynamic, longrope) or lack keys
/// are left out and reported to the reader (ConfigReader::leftOut).
RotaryAngles rotaryAngles(ConfigReader& config, const RotaryDefaults& defaults);

} // namespace flopsmith
