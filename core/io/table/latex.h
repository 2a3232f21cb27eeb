// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace flopsmith {

/// Text for LaTeX's running text: commands are escaped, and the signs beyond ASCII that this program
/// writes become LaTeX's own, so that any engine sets them. Control characters become blanks.
std::string latexEscaped(std::string_view text);

} // namespace flopsmith
