// SPDX-License-Identifier: MIT
#include "core/present/stack/stack_zoom.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace flopsmith {
namespace {

constexpr double kOperationsAbove = 1.4;
constexpr double kNotch = 1.1; // the factor of a notch of the wheel
constexpr double kNear = 1e-6; // steps closer than this are the same
constexpr std::array kSteps{kMinZoom,
                            0.005,
                            0.01,
                            0.02,
                            0.05,
                            0.1,
                            0.2,
                            0.3,
                            0.5,
                            0.7,
                            0.85,
                            1.0,
                            1.2,
                            1.5,
                            2.0,
                            kMaxZoom};

} // namespace

StackDetail detailAt(double zoom)
{
    return zoom < kPartsZoom       ? StackDetail::bars
        : zoom <= kOperationsAbove ? StackDetail::parts
                                   : StackDetail::operations;
}

double legalZoom(double zoom)
{
    return std::isnan(zoom) ? 1.0 : std::clamp(zoom, kMinZoom, kMaxZoom);
}

double steppedZoom(double zoom, int by)
{
    if (by > 0) {
        const auto next = std::upper_bound(kSteps.begin(), kSteps.end(), zoom * (1.0 + kNear));
        return next == kSteps.end() ? kMaxZoom : *next;
    }
    const auto same = std::lower_bound(kSteps.begin(), kSteps.end(), zoom * (1.0 - kNear));
    return same == kSteps.begin() ? kMinZoom : *(same - 1);
}

double wheeledZoom(double zoom, double notches)
{
    const double turned = legalZoom(zoom * std::pow(kNotch, notches));
    const bool passes = (zoom - 1.0) * (turned - 1.0) < 0.0;
    return passes || std::abs(turned - 1.0) < kNear ? 1.0 : turned;
}

std::string zoomText(double zoom)
{
    return zoom < 0.01 ? percentText(zoom) : std::to_string(std::lround(100.0 * zoom)) + " %";
}

} // namespace flopsmith
