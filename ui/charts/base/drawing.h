// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/count/component.h"
#include "core/present/base/ticks.h"
#include "ui/theme/display_scale.h"
#include "ui/theme/text_cache.h"
#include "ui/theme/theme.h"

#include <QBrush>
#include <QColor>
#include <QCoreApplication>
#include <QFont>
#include <QPainterPath>
#include <QPen>
#include <QRectF>
#include <QString>

#include <optional>
#include <vector>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// All charts' own texts have one context for translators.
class Charts
{
    Q_DECLARE_TR_FUNCTIONS(Charts)
};

/// How a figure looks, on screen or in a file.
struct ChartStyle
{
    Theme theme = lightTheme();
    int textPixels = 13; ///< height of ordinary text, to which everything else is relative
    bool hatching = false; ///< fills carry their component's pattern besides its colour
    DisplayScale scale{}; ///< of lines and numbers; textPixels follows from its type size

    QFont font(double relativeSize = 1.0, QFont::Weight weight = QFont::Normal) const;
    double lineHeight(double relativeSize = 1.0) const;
};

/// Control characters, which a model's name may contain but an SVG file may not, become spaces.
QString toQt(const std::string& utf8);
QString toQt(std::string_view utf8);

// Sizes of texts, relative to ordinary text.
inline constexpr double kLegendTextSize = 0.92;
inline constexpr double kRowTextSize = 0.92; ///< of the texts in a row of a chart
inline constexpr double kSmallTextSize = 0.85; ///< of ticks, shares and notes

inline constexpr double kCellGap = 10.0; ///< between the items of a row: label, bar, value
inline constexpr double kMinBar = 2.0; ///< pixels: no time and no share becomes invisible

/// Along which axis of a chart a value stands.
enum class AxisSide { x, y, right };

/// A labelled value of an axis.
struct AxisTick
{
    AxisSide side = AxisSide::x;
    AxisScale scale = AxisScale::linear;
    double value = 0.0; ///< not a number where the values of the axis are names

    bool operator==(const AxisTick&) const = default;
};

/// One line of text in its box.
struct Label
{
    QRectF rect{};
    QString text{};
    QFont font{};
    QColor colour{};
    Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter;
    std::optional<AxisTick> tick{}; ///< that the text names
};

/// When a fill shows its component's pattern.
enum class HatchUse {
    onRequest, ///< if the style asks for it
    always, ///< because another component of the figure has the same colour
};

/// Embedding and head have one colour: where `entries`, each with a component, hold both, the one
/// with a pattern shows it.
template <class Entries>
HatchUse hatchUse(const Component& component, const Entries& entries)
{
    for (const auto& entry : entries) {
        if (entry.component->rgb == component.rgb && entry.component->id != component.id) {
            return HatchUse::always;
        }
    }
    return HatchUse::onRequest;
}

/// A filled or outlined path, with an optional pattern over the fill.
struct Shape
{
    QPainterPath path{};
    QPen pen = Qt::NoPen;
    QBrush brush = Qt::NoBrush;
    Hatch hatch = Hatch::none;
    HatchUse hatchUse = HatchUse::onRequest;
};

/// The content of a figure: first all shapes, then all labels. Figures compute it and one function
/// paints it, so that tests can check places and texts without comparing pixels.
struct Drawing
{
    std::vector<Shape> shapes;
    std::vector<Label> labels;

    void fill(const QPainterPath& path,
              const Component& component,
              HatchUse use = HatchUse::onRequest);
    void fill(const QRectF& rect,
              double radius,
              const Component& component,
              HatchUse use = HatchUse::onRequest);
    void fill(const QRectF& rect, double radius, const QColor& colour);
    void outline(const QRectF& rect, double radius, const QPen& pen);
    void line(QPointF from, QPointF to, const QPen& pen);

    /// Adds the text if it is not empty, cut to the rectangle's width.
    void write(const QRectF& rect,
               const QString& text,
               const QFont& font,
               const QColor& colour,
               Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter,
               const std::optional<AxisTick>& tick = std::nullopt);

    void paint(QPainter& painter, const ChartStyle& style) const;
};

} // namespace flopsmith::ui
