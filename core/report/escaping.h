// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace flopsmith {

// Plain text on its way into a document: nothing of it acts as markup, and it is on one line, because
// control characters become blanks.

std::string htmlEscaped(std::string_view text);

/// For an article of LaTeX with T1 fonts, whichever engine sets it. A character that these fonts do
/// not have stands as its number: "U+4E2D".
std::string latexWords(std::string_view text);

} // namespace flopsmith
