// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/legal_values.h"
#include "core/io/table/pgfplots.h"
#include "core/present/base/part_figure.h"
#include "core/present/table/chart_table.h"
#include "ui/charts/base/chart_mark.h"
#include "ui/charts/base/drawing.h"

#include <QRectF>
#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <vector>

namespace flopsmith::ui {

/// The provenance of a figure's numbers: written small below every exported figure.
struct Provenance
{
    QString model{};
    QString workload{}; ///< "prefill, B 1, S 1024, 32-bit"
    QString lens{};
    QString device{}; ///< of measured times; empty without times
    QString version{}; ///< empty: the application's

    QString text() const;
};

/// The figure's numbers as a table for files, in the C locale with all digits.
struct FigureTable
{
    QStringList header{};
    std::vector<QStringList> rows{};
};

/// A place that reacts to the pointer or the arrow keys: a slice, a position on an axis, a row.
struct Hotspot
{
    struct Line
    {
        QColor colour{}; ///< of a swatch; invalid: no swatch
        QString label{};
        QString value{};
    };

    QString title{};
    std::vector<Line> lines{};
    QString meaning{}; ///< what it is, in a sentence; empty: what the figure's title says
    QPointF anchor{}; ///< the card is placed next to it
    QRectF keepClear{}; ///< and does not cover this, if there is space elsewhere

    QString accessibleText() const; ///< all of it as one line, for a screen reader
};

/// What stands at a tick of an axis, for its card.
struct TickMeaning
{
    QString axis{}; ///< "sequence length S (tokens)"
    QString sentence{}; ///< what is drawn along the axis
    std::vector<Hotspot::Line> lines{}; ///< what the figure has at the value
};

/// The design of a hotspot: the scenario with other values of some parameters.
struct HotspotDesign
{
    std::vector<std::string> keys{};
    std::vector<FieldValue> values{}; ///< parallel to the keys
    QString title{}; ///< "d_model 1024, layers 12"
    QString refusal{}; ///< why there is no such design; otherwise empty
};

/// Content that can be painted at any size by the same code on screen and into a file.
class Figure
{
public:
    Figure() = default;
    Figure(const Figure&) = delete;
    Figure& operator=(const Figure&) = delete;
    virtual ~Figure() = default;

    virtual QString title() const = 0; ///< above the exported figure
    virtual QString summary() const = 0; ///< one sentence for a screen reader
    virtual QString emptyText() const = 0; ///< why there is nothing to see; otherwise empty
    virtual FigureTable table() const = 0;

    /// The same numbers for people: names, units and digits as in the figure.
    virtual ChartTable shownTable() const = 0;

    /// The same for LaTeX, which draws it itself; the export fills in title and provenance.
    virtual PgfPlot plot() const = 0;

    /// A whole exported figure of usual width leaves something out below this height.
    virtual int minExportHeight() const { return 0; }

    /// Paints the content, or the sentence that explains why there is none. Does not paint a
    /// background.
    void paint(QPainter& painter, const QRectF& area, const ChartStyle& style) const;

    /// Everything except what Qt Charts draws; empty if the figure is empty.
    Drawing drawing(const QRectF& area, const ChartStyle& style) const;

    /// Hotspots in reading order, none if the figure is empty; `area` and `style` must be those of
    /// painting.
    std::vector<Hotspot> hotspots(const QRectF& area, const ChartStyle& style) const;

    /// The hotspot at a place, or -1.
    int hotspotAt(QPointF place, const QRectF& area, const ChartStyle& style) const;

    /// The design of a hotspot, in charts of many designs.
    virtual std::optional<HotspotDesign> design(int /*hotspot*/) const { return std::nullopt; }

    /// What a hotspot's figure counts, if it is one of the scenario's.
    virtual std::optional<FigureKind> kindOf(int /*hotspot*/) const { return std::nullopt; }

    /// What a tick stands for; the default is the title.
    virtual TickMeaning tickMeaning(const AxisTick& tick) const;

    /// The tick's text at a place, if one stands there.
    std::optional<Label> tickAt(QPointF place, const QRectF& area, const ChartStyle& style) const;

    /// Highlights a hotspot; nothing if there is none of that index.
    void paintHighlight(QPainter& painter,
                        int hotspot,
                        const QRectF& area,
                        const ChartStyle& style) const;

    /// Shapes that represent operations and parts, lower ones first; empty if the figure is empty.
    std::vector<ChartPlace> places(const QRectF& area, const ChartStyle& style) const;

    /// Takes over expensive data from the figure that this one replaces in a view.
    virtual void reuse(Figure& /*replaced*/) {}

    Provenance provenance;

protected:
    // Called only if the figure is not empty.

    virtual Drawing contentDrawing(const QRectF& area, const ChartStyle& style) const = 0;
    virtual std::vector<Hotspot> contentHotspots(const QRectF& area,
                                                 const ChartStyle& style) const = 0;

    /// The default is none: the figure shows no operations.
    virtual std::vector<ChartPlace> contentPlaces(const QRectF& area,
                                                  const ChartStyle& style) const;

    /// The default is the hotspot whose keepClear contains the place, as suits rows.
    virtual int contentHotspotAt(QPointF place, const QRectF& area, const ChartStyle& style) const;

    /// For an existing hotspot. The default is a thin line around its keepClear, as suits rows.
    virtual Drawing highlight(int hotspot, const QRectF& area, const ChartStyle& style) const;

    /// The default paints drawing().
    virtual void paintContent(QPainter& painter, const QRectF& area, const ChartStyle& style) const;
};

/// A calm sentence in the middle of an area.
void paintSentence(QPainter& painter,
                   const QRectF& area,
                   const QString& sentence,
                   const ChartStyle& style);

/// The card of a hotspot, beside its anchor and inside the area.
void paintCard(QPainter& painter,
               const QRectF& area,
               const Hotspot& hotspot,
               const ChartStyle& style);

} // namespace flopsmith::ui
