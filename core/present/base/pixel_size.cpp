// SPDX-License-Identifier: MIT
#include "core/present/base/pixel_size.h"

#include "core/base/printable.h"

#include <charconv>
#include <cmath>
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

// A positive number, and what follows it.
struct Measure
{
    double number = 0.0;
    std::string_view unit{};
};

std::optional<Measure> parsedMeasure(std::string_view text)
{
    Measure measure;
    const auto result = std::from_chars(
        text.data(), text.data() + text.size(), measure.number, std::chars_format::fixed);
    if (result.ec != std::errc{} || !(measure.number > 0.0)) {
        return std::nullopt;
    }
    measure.unit = text.substr(static_cast<std::size_t>(result.ptr - text.data()));
    while (measure.unit.starts_with(' ')) {
        measure.unit.remove_prefix(1);
    }
    return measure;
}

std::optional<double> pixelsOf(const Measure& measure)
{
    constexpr double kPixelsPerInch = 96.0;
    constexpr double kMillimetresPerInch = 25.4;
    if (measure.unit.empty() || measure.unit == "px") {
        return measure.number;
    }
    if (measure.unit == "in") {
        return measure.number * kPixelsPerInch;
    }
    const double perMillimetre = kPixelsPerInch / kMillimetresPerInch;
    return measure.unit == "mm" ? std::optional(measure.number * perMillimetre)
        : measure.unit == "cm"  ? std::optional(10.0 * measure.number * perMillimetre)
                                : std::nullopt;
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

Result<int> parsedDrawingWidth(std::string_view text)
{
    constexpr double kLeast = 120.0;
    constexpr double kMost = 16'000.0;
    const std::optional<Measure> measure = parsedMeasure(text);
    const std::optional<double> pixels = measure ? pixelsOf(*measure) : std::nullopt;
    if (!pixels || *pixels < kLeast || *pixels > kMost) {
        return Error{
            "--width " + excerpt(text)
            + ": expected a width of 120 to 16000 px (32 to 4233 mm), as in 85mm, 3.3in or "
              "720px"};
    }
    return static_cast<int>(std::lround(*pixels));
}

Result<double> parsedTypeSize(std::string_view text)
{
    constexpr double kLeast = 4.0;
    constexpr double kMost = 40.0;
    const std::optional<Measure> measure = parsedMeasure(text);
    const bool arePoints = measure && (measure->unit.empty() || measure->unit == "pt");
    if (!arePoints || measure->number < kLeast || measure->number > kMost) {
        return Error{"--type-size " + excerpt(text)
                     + ": expected a size of 4 to 40 points, as in 8 or 9.75"};
    }
    return measure->number;
}

} // namespace flopsmith
