// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/parameter_table.h"

#include <optional>
#include <string_view>

namespace flopsmith {

/// What the key of a block's parameter starts with.
inline constexpr std::string_view kBlockKey = "blocks[";

/// Whether matchingParameters() takes the key for the parameter of the full key.
bool keyMeans(std::string_view key, std::string_view fullKey);

/// The first of matchingParameters(), or nothing: in a sweep all of them take the same values. The
/// others, of which a deep model has one per run of blocks, are not copied.
std::optional<Parameter> firstParameter(const Scenario& scenario, std::string_view key);

/// Makes the blocks that a key names runs of their own: of "blocks[3].d_ff" block 3, of
/// "blocks[0-5].d_ff" blocks 0 to 5. A key of a run, "blocks[0].repeat", leaves it whole.
void isolateNamedBlocks(Model& model, std::string_view key);

/// The key that sets this parameter as it is listed, for its whole run: "blocks[0-11].ffn.d_ff".
std::string keyOfWholeRun(const Scenario& scenario, const Parameter& parameter);

} // namespace flopsmith
