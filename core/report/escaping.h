// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace flopsmith {

// Escapes plain text for a document: nothing in it acts as markup, and it is on one line, because
// control characters become blanks.

std::string htmlEscaped(std::string_view text);

/// For an article of LaTeX with T1 fonts, under any engine. A character that these fonts lack is
/// written as its number: "U+4E2D".
std::string latexWords(std::string_view text);

} // namespace flopsmith
