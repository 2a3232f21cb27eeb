// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace flopsmith {

/// A text that is part of the program: see resources/texts/README.md.
std::string_view shippedText();

} // namespace flopsmith
