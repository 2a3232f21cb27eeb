// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/run_time/device_fill.h"

#include <algorithm>
#include <array>

namespace flopsmith::ui {
namespace {

constexpr double kOutline = 1.2;

struct Manner
{
    float opacity = 1.0F;
    bool outlined = false;
    Hatch hatch = Hatch::none;
    std::uint32_t rgb = 0; ///< of a series; Okabe and Ito's colours
};

// Neighbours differ most, for two or three devices are the usual case.
constexpr std::array<Manner, kDeviceFills> kManners{{
    {1.0F, false, Hatch::none, 0x0072B2},
    {0.3F, true, Hatch::none, 0xE69F00},
    {1.0F, false, Hatch::forward, 0x009E73},
    {0.0F, true, Hatch::none, 0xCC79A7},
    {0.55F, true, Hatch::vertical, 0x56B4E9},
    {1.0F, false, Hatch::dots, 0xD55E00},
}};

} // namespace

void fillForDevice(Drawing& drawing, const QRectF& bar, const QColor& colour, std::size_t device)
{
    const Manner& manner = kManners.at(device % kDeviceFills);
    // An outline is drawn on both sides of its path, but must not make a bar longer.
    const double inset = manner.outlined ? std::min(kOutline, bar.width()) / 2 : 0.0;
    const QRectF rect = bar.adjusted(inset, inset, -inset, -inset);
    const double radius = std::max(0.0, std::min(2.0, rect.width() / 2));
    QPainterPath path;
    path.addRoundedRect(rect, radius, radius);
    QColor fill = colour;
    fill.setAlphaF(manner.opacity);
    drawing.shapes.push_back({path,
                              manner.outlined ? QPen(colour, kOutline) : QPen(Qt::NoPen),
                              manner.opacity > 0.0F ? QBrush(fill) : QBrush(Qt::NoBrush),
                              manner.hatch,
                              HatchUse::always});
}

std::uint32_t colourOfDevice(std::size_t device)
{
    return kManners.at(device % kDeviceFills).rgb;
}

} // namespace flopsmith::ui
