// SPDX-License-Identifier: MIT
#include "core/present/base/pixel_size.h"

#include "core/base/printable.h"

#include <charconv>
#include <optional>

namespace flopsmith {
namespace {

std::optional<int> parsedPixels(std::string_view text)
{
    constexpr int kFewest = 64;
    constexpr int kMax = 16'384;
    int pixels = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), pixels);
    const bool whole = result.ec == std::errc{} && result.ptr == text.data() + text.size();
    return whole && pixels >= kFewest && pixels <= kMax ? std::optional(pixels) : std::nullopt;
}

} // namespace

Result<PixelSize> parsedPixelSize(std::string_view text)
{
    const std::size_t cross = text.find('x');
    const auto width = parsedPixels(text.substr(0, cross));
    const auto height =
        cross == std::string_view::npos ? std::nullopt : parsedPixels(text.substr(cross + 1));
    if (!width || !height) {
        return Error{"--size " + excerpt(text)
                     + ": expected WIDTHxHEIGHT, each 64 to 16384, as in 720x440"};
    }
    return PixelSize{*width, *height};
}

} // namespace flopsmith
