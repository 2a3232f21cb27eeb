// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/colour_scale.h"

#include "ui/theme/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace flopsmith::ui {
namespace {

// Each about 14 units of CIE lightness above the one before.
constexpr std::array<QRgb, 6> kScaleStops{0x441F66,
                                          0x3D4E8A,
                                          0x2A7B8E,
                                          0x35A480,
                                          0x86C95A,
                                          0xF2E34C};

int blended(int from, int to, double part)
{
    return static_cast<int>(std::lround(from + part * (to - from)));
}

} // namespace

QColor scaleColour(double share)
{
    constexpr std::size_t kLast = kScaleStops.size() - 1;
    const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(kLast);
    const std::size_t below = std::min(static_cast<std::size_t>(place), kLast - 1);
    const double part = place - static_cast<double>(below);
    const QRgb from = kScaleStops[below];
    const QRgb to = kScaleStops[below + 1];
    return {blended(qRed(from), qRed(to), part),
            blended(qGreen(from), qGreen(to), part),
            blended(qBlue(from), qBlue(to), part)};
}

QColor textOn(const QColor& fill)
{
    const QColor black(0, 0, 0);
    const QColor white(255, 255, 255);
    return contrast(white, fill) >= contrast(black, fill) ? white : black;
}

} // namespace flopsmith::ui
