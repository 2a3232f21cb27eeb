// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/questions/sketch_pad.h"

#include "core/base/text.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStyle>

#include <algorithm>
#include <array>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kSketchLine = 3.0;
constexpr double kKeyStep = 0.02; ///< of the vertical axis
constexpr double kLabelPitch = 1.2; ///< least distance of two labels, in lines of text
constexpr int kFadeMilliseconds = 700;

QColor sketchColour(const Theme& theme, int curve)
{
    const std::array<QColor, 4> colours{
        theme.accent, theme.warning, theme.positive, theme.negative};
    return colours.at(static_cast<std::size_t>(curve) % colours.size());
}

std::vector<double> decadesOf(const DecadeAxis& axis)
{
    std::vector<double> all;
    const int last = static_cast<int>(std::floor(std::log10(axis.to) + 1e-9));
    for (int power = static_cast<int>(std::ceil(std::log10(axis.from) - 1e-9)); power <= last;
         ++power) {
        all.push_back(std::pow(10.0, power));
    }
    return all;
}

} // namespace

double DecadeAxis::placeOf(double value) const
{
    return std::log10(value / from) / std::log10(to / from);
}

double DecadeAxis::valueAt(double place) const
{
    return from * std::pow(to / from, place);
}

SketchPad::SketchPad(const DecadeAxis& x, const DecadeAxis& y, int curves, QWidget* parent)
    : QWidget(parent)
    , m_x(x)
    , m_y(y)
    , m_lines(static_cast<std::size_t>(curves), Line(kColumns))
{
    setObjectName(QStringLiteral("lesson.sketch.pad"));
    setAccessibleName(tr("Axes to draw on: Up and Down raise the curve, Ctrl+Left and Ctrl+Right "
                         "go along it"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    const bool moves = style()->styleHint(QStyle::SH_Widget_Animation_Duration) > 0;
    m_fade.setStartValue(moves ? 0.0 : 1.0);
    m_fade.setEndValue(1.0);
    m_fade.setDuration(kFadeMilliseconds);
    connect(&m_fade, &QVariantAnimation::valueChanged, this, [this] { update(); });
}

void SketchPad::setCurrent(int curve)
{
    m_current = curve;
    m_column = 0;
    update();
}

void SketchPad::setDrawn(const Curves& curves)
{
    for (std::size_t i = 0; i < std::min(curves.size(), m_lines.size()); ++i) {
        m_lines[i].assign(kColumns, std::nullopt);
        for (const CurvePoint& point : curves[i]) {
            const int column = static_cast<int>(std::lround(m_x.placeOf(point.x) * (kColumns - 1)));
            if (column >= 0 && column < kColumns) {
                m_lines[i][static_cast<std::size_t>(column)] = m_y.placeOf(point.y);
            }
        }
    }
    update();
}

SketchPad::Curves SketchPad::drawn() const
{
    Curves all;
    for (const Line& line : m_lines) {
        std::vector<CurvePoint> points;
        for (int column = 0; column < kColumns; ++column) {
            if (const auto& place = line[static_cast<std::size_t>(column)]) {
                points.push_back({m_x.valueAt(static_cast<double>(column) / (kColumns - 1)),
                                  m_y.valueAt(*place)});
            }
        }
        all.push_back(std::move(points));
    }
    return all;
}

bool SketchPad::isComplete() const
{
    return std::all_of(m_lines.begin(), m_lines.end(), [](const Line& line) {
        return std::count_if(
                   line.begin(), line.end(), [](const auto& place) { return place.has_value(); })
            >= 2;
    });
}

void SketchPad::setTruth(const Curves& curves)
{
    m_truth = curves;
    m_fade.start();
    update();
}

QRectF SketchPad::plot() const
{
    const double text = fontMetrics().height();
    const double left = fontMetrics().horizontalAdvance(QStringLiteral("100 M")) + 8.0;
    return QRectF(rect()).adjusted(left, text / 2, -text, -text - 6.0);
}

QPointF SketchPad::pixelOf(double x, double y) const
{
    const QRectF area = plot();
    return {area.left() + x * area.width(), area.bottom() - y * area.height()};
}

// All columns between the last place and this one get points on the straight line.
void SketchPad::drawTo(QPointF pixel)
{
    const QRectF area = plot();
    const double x = std::clamp((pixel.x() - area.left()) / area.width(), 0.0, 1.0);
    const double y = std::clamp((area.bottom() - pixel.y()) / area.height(), 0.0, 1.0);
    Line& line = m_lines.at(static_cast<std::size_t>(m_current));
    const int column = static_cast<int>(std::lround(x * (kColumns - 1)));
    const int from = m_lastColumn.value_or(column);
    const double fromY = line[static_cast<std::size_t>(from)].value_or(y);
    const int steps = std::abs(column - from);
    for (int i = 0; i <= steps; ++i) {
        const int at = from + (column > from ? i : -i);
        const double share = steps == 0 ? 1.0 : static_cast<double>(i) / steps;
        line[static_cast<std::size_t>(at)] = fromY + share * (y - fromY);
    }
    m_lastColumn = column;
    update();
}

void SketchPad::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) {
        m_lastColumn.reset();
        drawTo(event->position());
    }
}

void SketchPad::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton)) {
        drawTo(event->position());
    }
}

void SketchPad::mouseReleaseEvent(QMouseEvent* /*event*/)
{
    m_lastColumn.reset();
    Q_EMIT changed();
}

// A column without a point gets the nearest earlier one's.
void SketchPad::raiseCurve(double by)
{
    Line& line = m_lines.at(static_cast<std::size_t>(m_current));
    const auto column = static_cast<std::size_t>(m_column);
    double before = 0.5;
    for (std::size_t i = 0; i <= column; ++i) {
        before = line[i].value_or(before);
    }
    line[column] = std::clamp(before + by, 0.0, 1.0);
    update();
    Q_EMIT changed();
}

void SketchPad::moveColumn(int by)
{
    constexpr int kByKey = 4; // columns together, so that a curve takes nine places
    const int from = m_column;
    m_column = std::clamp(m_column + by * kByKey, 0, kColumns - 1);
    Line& line = m_lines.at(static_cast<std::size_t>(m_current));
    if (by > 0 && line[static_cast<std::size_t>(from)]
        && !line[static_cast<std::size_t>(m_column)]) {
        line[static_cast<std::size_t>(m_column)] = line[static_cast<std::size_t>(from)];
        Q_EMIT changed();
    }
    update();
}

void SketchPad::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Up: return raiseCurve(kKeyStep);
    case Qt::Key_Down: return raiseCurve(-kKeyStep);
    case Qt::Key_Left: return moveColumn(-1);
    case Qt::Key_Right: return moveColumn(+1);
    default: QWidget::keyPressEvent(event);
    }
}

void SketchPad::paintAxes(QPainter& painter) const
{
    const Theme& theme = systemTheme();
    const double height = fontMetrics().height();
    for (const double tick : decadesOf(m_x)) {
        const QPointF foot = pixelOf(m_x.placeOf(tick), 0.0);
        painter.setPen(QPen(theme.grid, 1.0));
        painter.drawLine(foot, pixelOf(m_x.placeOf(tick), 1.0));
        painter.setPen(theme.mutedText);
        painter.drawText(QRectF(foot.x() - 60.0, foot.y() + 4.0, 120.0, height),
                         Qt::AlignHCenter | Qt::AlignTop,
                         QString::fromStdString(siText(tick)));
    }
    const std::vector<double> decades = decadesOf(m_y);
    const double place =
        plot().height() / std::max<double>(1.0, static_cast<double>(decades.size()));
    const auto every = static_cast<std::size_t>(std::ceil(kLabelPitch * height / place));
    for (std::size_t i = 0; i < decades.size(); ++i) {
        const double tick = decades[i];
        const QPointF left = pixelOf(0.0, m_y.placeOf(tick));
        painter.setPen(QPen(theme.grid, 1.0));
        painter.drawLine(left, pixelOf(1.0, m_y.placeOf(tick)));
        if (i % every != 0) {
            continue;
        }
        painter.setPen(theme.mutedText);
        painter.drawText(QRectF(0.0, left.y() - height / 2, left.x() - 6.0, height),
                         Qt::AlignRight | Qt::AlignVCenter,
                         QString::fromStdString(siText(tick)));
    }
    painter.setPen(QPen(theme.text, 1.5));
    painter.drawLine(pixelOf(0.0, 0.0), pixelOf(1.0, 0.0));
    painter.drawLine(pixelOf(0.0, 0.0), pixelOf(0.0, 1.0));
}

void SketchPad::paintCurve(QPainter& painter, const std::vector<CurvePoint>& curve, int index) const
{
    QPainterPath path;
    for (const CurvePoint& point : curve) {
        const QPointF pixel =
            pixelOf(m_x.placeOf(point.x), std::clamp(m_y.placeOf(point.y), 0.0, 1.0));
        if (path.elementCount() == 0) {
            path.moveTo(pixel);
        } else {
            path.lineTo(pixel);
        }
    }
    painter.drawPath(path);
    if (curve.size() == 1) {
        painter.drawPoint(path.currentPosition());
    }
    if (!curve.empty()) { // a letter at its end identifies it without its colour
        painter.drawText(path.currentPosition() + QPointF(4.0, -4.0),
                         QString(QChar::fromLatin1(static_cast<char>('A' + index))));
    }
}

void SketchPad::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxes(painter);
    const Curves own = drawn();
    for (int i = 0; i < static_cast<int>(own.size()); ++i) {
        painter.setPen(QPen(sketchColour(theme, i), kSketchLine, Qt::DashLine, Qt::RoundCap));
        paintCurve(painter, own[static_cast<std::size_t>(i)], i);
    }
    painter.setOpacity(m_truth.empty() ? 1.0 : m_fade.currentValue().toDouble());
    for (int i = 0; i < static_cast<int>(m_truth.size()); ++i) {
        painter.setPen(QPen(sketchColour(theme, i), kSketchLine, Qt::SolidLine, Qt::RoundCap));
        paintCurve(painter, m_truth[static_cast<std::size_t>(i)], i);
    }
    painter.setOpacity(1.0);
    if (hasFocus()) {
        const double x = static_cast<double>(m_column) / (kColumns - 1);
        painter.setPen(QPen(theme.accent, 1.0, Qt::DotLine));
        painter.drawLine(pixelOf(x, 0.0), pixelOf(x, 1.0));
    }
}

} // namespace flopsmith::ui

#include "moc_sketch_pad.cpp"
