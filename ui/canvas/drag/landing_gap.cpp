// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/drag/landing_gap.h"

#include <QPainter>
#include <QStyle>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr int kGapMilliseconds = 120;

} // namespace

LandingGap::LandingGap(QWidget& canvas)
    : m_canvas(canvas)
{
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_animation.setDuration(kGapMilliseconds);
    m_animation.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_animation, &QVariantAnimation::valueChanged, this, [this](const QVariant& share) {
        m_share = share.toDouble();
        Q_EMIT moved();
    });
}

void LandingGap::open(double line, double height)
{
    const double most = std::min(height, kMaxShift / 2.0);
    if (m_opening && m_opening->line == line && m_opening->height == most) {
        return;
    }
    m_closing = m_opening ? std::optional(opening()) : std::nullopt;
    m_opening = Gap{line, most};
    start();
}

void LandingGap::close()
{
    if (m_opening) {
        m_closing = opening();
        m_opening.reset();
        start();
    }
}

void LandingGap::reset()
{
    m_animation.stop();
    m_closing.reset();
    m_opening.reset();
    m_share = 1.0;
    Q_EMIT moved();
}

void LandingGap::start()
{
    m_animation.stop();
    const bool animates =
        m_canvas.style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, &m_canvas) > 0;
    m_share = animates ? 0.0 : 1.0;
    if (animates) {
        m_animation.start();
    }
    Q_EMIT moved();
}

LandingGap::Gap LandingGap::opening() const
{
    return {m_opening->line, m_opening->height * m_share};
}

std::vector<LandingGap::Gap> LandingGap::gaps() const
{
    std::vector<Gap> all;
    if (m_closing && m_share < 1.0) {
        all.push_back({m_closing->line, m_closing->height * (1.0 - m_share)});
    }
    if (m_opening) {
        all.push_back(opening());
    }
    std::sort(all.begin(), all.end(), [](const Gap& a, const Gap& b) { return a.line < b.line; });
    return all;
}

std::optional<QRectF> LandingGap::shown(double left, double width) const
{
    if (!m_opening) {
        return std::nullopt;
    }
    const Gap gap = opening();
    return QRectF(left, gap.line + shiftAt(gap.line) - gap.height, width, gap.height);
}

double LandingGap::shiftAt(double y) const
{
    double shift = 0.0;
    for (const Gap& gap : gaps()) {
        shift += gap.line <= y ? gap.height : 0.0;
    }
    return shift;
}

void LandingGap::paintParted(QPainter& painter,
                             const QRectF& place,
                             const std::function<void()>& paint) const
{
    std::vector<double> cuts;
    for (const Gap& gap : gaps()) {
        if (gap.line > place.top() && gap.line < place.bottom()) {
            cuts.push_back(gap.line);
        }
    }
    cuts.push_back(place.bottom());
    const bool isWhole = cuts.size() == 1;
    double top = place.top();
    for (const double bottom : cuts) {
        painter.save();
        painter.translate(0.0, shiftAt(top));
        if (!isWhole) {
            painter.setClipRect(QRectF(place.left(), top, place.width(), bottom - top),
                                Qt::IntersectClip);
        }
        paint();
        painter.restore();
        top = bottom;
    }
}

} // namespace flopsmith::ui

#include "moc_landing_gap.cpp"
