// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/time/run_time_comparison.h"
#include "ui/charts/base/figure_request.h"
#include "ui/charts/base/text_lines.h"

#include <memory>
#include <vector>

namespace flopsmith::ui {

inline constexpr double kRunTimeValueSize = 0.82; ///< of times after bars, relative to usual text

/// The positions of devices and bars of a side-by-side run-time chart.
struct RunTimeComparisonLayout
{
    struct Device
    {
        std::size_t column = 0; ///< of the comparison
        QRectF rect{}; ///< the whole entry
        QRectF swatch{};
        QRectF name{};
        QRectF total{}; ///< "614 ms", or the state
        std::vector<PlacedLine> more{}; ///< the part of moreFacts() that fits
    };

    struct Bar
    {
        std::size_t row = 0; ///< of the column's table
        std::size_t column = 0;
        QRectF rect{}; ///< the whole line
        QRectF measured{}; ///< as long as the time; empty without one
        QRectF bound{}; ///< a thin tick at the lower bound; empty without one
        QRectF value{}; ///< "614 ms", after bar and tick
        QRectF ratio{}; ///< "0.51×", at the end of the line; empty without space
    };

    struct Part
    {
        std::size_t row = 0;
        QRectF rect{}; ///< all its bars
        QRectF label{};
    };

    std::vector<Device> devices{};
    std::vector<Part> parts{};
    std::vector<Bar> bars{}; ///< part by part; devices without a bar have no place in any
    std::size_t hidden = 0; ///< parts without space: the smallest ones
    PlacedLine hiddenText{};
    std::vector<PlacedLine> notes{}; ///< empty without space
    double pixelsPerSecond = 0.0; ///< the same for all devices
};

RunTimeComparisonLayout runTimeComparisonLayout(const RunTimeComparison& comparison,
                                                const QRectF& area,
                                                const ChartStyle& style);

/// After a device's total: ratio and lower bound, or why it is unavailable.
QStringList moreFacts(const RunTimeColumn& column);

/// For each part one bar per device, all on one scale; a legend with the devices' totals above.
class RunTimeComparisonFigure : public Figure
{
public:
    explicit RunTimeComparisonFigure(RunTimeComparison comparison)
        : m_comparison(std::move(comparison))
    {}

    const RunTimeComparison& content() const { return m_comparison; }

    QString title() const override;
    QString summary() const override;
    QString emptyText() const override;
    FigureTable table() const override;
    ChartTable shownTable() const override;
    PgfPlot plot() const override;
    int minExportHeight() const override; ///< for all parts, at most 1200

protected:
    Drawing contentDrawing(const QRectF& area, const ChartStyle& style) const override;
    std::vector<Hotspot> contentHotspots(const QRectF& area,
                                         const ChartStyle& style) const override;
    std::vector<ChartPlace> contentPlaces(const QRectF& area,
                                          const ChartStyle& style) const override;

private:
    RunTimeComparison m_comparison;
};

/// A RunTimeFigure for one device, this comparison for several.
std::unique_ptr<Figure> figureOfRunTimes(RunTimeComparison comparison);

/// Measured times of the request's device, or of all devices that it compares.
FigureResult runTimeFigure(const FigureRequest& request);

} // namespace flopsmith::ui
