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

/// The width of a drawing in CSS pixels (1/96 inch): "85mm", "3.3in", "720px" or "720", from 120 to
/// 16000 pixels.
Result<int> parsedDrawingWidth(std::string_view text);

/// A type size in points: "8pt" or "8", from 4 to 40.
Result<double> parsedTypeSize(std::string_view text);

} // namespace flopsmith
