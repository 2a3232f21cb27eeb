// SPDX-License-Identifier: MIT
#include "core/present/stack/minimap.h"

#include <algorithm>
#include <cmath>

namespace flopsmith {
namespace {

constexpr double kMinFrame = 4.0;

} // namespace

MinimapScale::MinimapScale(double stack, double view, double strip)
    : m_stack(stack)
    , m_view(view)
    , m_strip(strip)
{}

MinimapSpan MinimapScale::place(double top, double height) const
{
    const double factor = m_stack > 0.0 ? m_strip / m_stack : 0.0;
    return {top * factor, height * factor};
}

MinimapSpan MinimapScale::frame(double scroll) const
{
    const MinimapSpan exact = place(scroll, m_view);
    const double height = std::max(kMinFrame, exact.height);
    const double top = exact.top + (exact.height - height) / 2.0;
    return {std::clamp(top, 0.0, std::max(0.0, m_strip - height)), height};
}

int MinimapScale::scrollTo(double height) const
{
    const double middle = m_strip > 0.0 ? height * m_stack / m_strip : 0.0;
    const double last = std::max(0.0, m_stack - m_view);
    return static_cast<int>(std::lround(std::clamp(middle - m_view / 2.0, 0.0, last)));
}

} // namespace flopsmith
