// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// The three of the names that take the fewest changed letters to become the wrong one, the nearest
/// first: "gpt2, gpt_neo, gptj".
std::string nearestNames(std::string_view wrong, std::vector<std::string_view> names);

} // namespace flopsmith
