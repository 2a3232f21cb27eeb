// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace flopsmith {

/// One axis of a plot.
struct PgfAxis
{
    std::string label{};
    int logBase = 0; ///< 2 or 10; 0: linear
    /// Names at 0, 1, 2, …, the first one on top: the axis then has no numbers.
    std::vector<std::string> names{};
};

/// One set of points of a plot, drawn in its colour.
struct PgfSeries
{
    enum class Kind {
        line,
        marks, ///< points without a line
        openMarks, ///< the same as rings
        bars, ///< horizontal, from zero; `y` is the name's number
        stackedBars, ///< horizontal, each from where the series before it ended
        stackedGap, ///< as stackedBars, but invisible: where a bar of a waterfall begins
    };
    enum class Dash { solid, dashed, dotted, dashDotted };
    struct Point
    {
        double x = 0;
        double y = 0;
    };

    Kind kind = Kind::line;
    std::string name{}; ///< in the legend; empty: not there
    std::uint32_t rgb = 0x0072B2;
    Dash dash = Dash::solid;
    std::vector<Point> points{};
};

/// A figure as LaTeX draws it, with the fonts of the paper around it.
struct PgfPlot
{
    std::string title{};
    std::string provenance{}; ///< a comment on top
    bool hasTitle = true;
    bool hasProvenance = true;
    double widthPoints = 0.0; ///< of the picture, in PostScript points; 0: that of a line of text
    double heightPoints = 0.0; ///< 0: by the width
    double typePoints = 0.0; ///< of its texts; 0: as the text around it
    PgfAxis x{};
    PgfAxis y{};
    std::vector<PgfSeries> series{};
};

/// A `tikzpicture` with one `axis`, for \input into a document that loads pgfplots (compat 1.16 or
/// later). Numbers read back the same; points that a logarithmic axis cannot show are left out.
std::string pgfplotsText(const PgfPlot& plot);

} // namespace flopsmith
