// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/parameter_table.h"

#include <optional>
#include <string_view>

namespace flopsmith {

/// The beginning of the key of a block's parameter.
inline constexpr std::string_view kBlockKey = "blocks[";

/// Whether the key matches the parameter with this full key, as in matchingParameters().
bool keyMeans(std::string_view key, std::string_view fullKey);

/// The first of matchingParameters(), or nothing: in a sweep all of them take the same values. The
/// others, one per run of blocks in a deep model, are not copied.
std::optional<Parameter> firstParameter(const Scenario& scenario, std::string_view key);

/// Makes the blocks that a key names runs of their own: of "blocks[3].d_ff" block 3, of
/// "blocks[0-5].d_ff" blocks 0 to 5. A key of a run, "blocks[0].repeat", leaves it whole.
void isolateNamedBlocks(Model& model, std::string_view key);

/// The key that sets this parameter as it is listed, for its whole run: "blocks[0-11].ffn.d_ff".
std::string keyOfWholeRun(const Scenario& scenario, const Parameter& parameter);

} // namespace flopsmith
