// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace flopsmith {

/// A file of resources, part of the program since the build.
struct InstalledText
{
    std::string_view fileName; ///< "02-where-flops-go.flopsmith-lesson"
    std::string_view text;
};

} // namespace flopsmith
