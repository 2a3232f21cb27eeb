// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// Written beside the weights of a model whose tokens are characters.
inline constexpr std::string_view kAlphabetFile = "alphabet.json";

/// The file: the character of each token, as a JSON list.
std::string alphabetText(const std::vector<std::string>& symbols);

/// Reads it. An Error that names the file if it is not a list of different characters.
Result<std::vector<std::string>> readAlphabet(std::string_view text, const std::string& source);

} // namespace flopsmith
