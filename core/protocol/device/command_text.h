// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// A command as one line that a POSIX shell splits into the same words: ssh 'gpu box' bench. Words
/// of plain characters are unquoted, others are in single quotes.
std::string commandText(const std::vector<std::string>& words);

/// The words of such a line: blanks separate words, 'single' and "double" quotes and backslashes
/// keep them together, as in a shell. Nothing else is special: variables, patterns and pipes are
/// literal text. An Error for a quote that is not closed or a backslash at the end.
Result<std::vector<std::string>> commandOf(std::string_view line);

} // namespace flopsmith
