// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/component.h"

#include <string_view>

namespace flopsmith {

/// The properties of a mixer or FFN variant that palette, canvas, files and help need.
struct VariantInfo
{
    std::string_view id; ///< in files and on the command line: "spectral"
    std::string_view title; ///< "Spectral"
    std::string_view formula; ///< its computation in one line
    std::string_view help; ///< one or two sentences for someone who has never heard of it
    const Component* component = nullptr;
};

} // namespace flopsmith
