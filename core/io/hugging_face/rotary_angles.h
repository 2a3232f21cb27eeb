// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/hugging_face/config/config_reader.h"
#include "core/mixer/rope.h"

namespace flopsmith {

/// The base that a class assumes where its file names none.
struct RotaryDefaults
{
    double base = 10'000.0;
    double slidingBase = 0.0; ///< of blocks with a window (Gemma-3); 0: the same
};

/// What the file says of the angles of a model's blocks.
struct RotaryAngles
{
    Rope full; ///< of blocks without a window
    Rope sliding; ///< of those with one
    /// Factor of 1/√h besides: the square of DeepSeek's mscale_all_dim at its factor.
    double scoreFactor = 1.0;
};

/// Reads base and stretching from rope_theta, rope_scaling and rope_parameters, as versions 4 and 5
/// of the library write them. What cannot be held as fixed angles (dynamic, longrope, or keys that
/// are missing) is left out: the reader is told so (ConfigReader::leftOut).
RotaryAngles rotaryAngles(ConfigReader& config, const RotaryDefaults& defaults);

} // namespace flopsmith
