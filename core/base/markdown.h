// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace flopsmith {

/// Plain text for Markdown's running text, as GitHub and Pandoc read it: nothing of it acts as markup,
/// and it is on one line, because control characters become blanks.
std::string markdownWords(std::string_view text);

} // namespace flopsmith
