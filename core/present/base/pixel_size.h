// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string_view>

namespace flopsmith {

/// Of a drawing or a window, in CSS pixels.
struct PixelSize
{
    int width = 0;
    int height = 0;

    bool operator==(const PixelSize&) const = default;
};

/// "720x440", from 64 to 16384 pixels each.
Result<PixelSize> parsedPixelSize(std::string_view text);

} // namespace flopsmith
