// SPDX-License-Identifier: MIT
#include "core/io/table/pgfplots.h"

#include "core/base/text.h"
#include "core/io/table/latex.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace flopsmith {
namespace {

std::string colourName(std::uint32_t rgb)
{
    std::array<char, 24> name{};
    std::snprintf(name.data(), name.size(), "flopsmith%06X", static_cast<unsigned>(rgb));
    return name.data();
}

std::string colourDefinition(std::uint32_t rgb)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(),
                  text.size(),
                  "\\definecolor{%s}{HTML}{%06X}\n",
                  colourName(rgb).c_str(),
                  static_cast<unsigned>(rgb));
    return text.data();
}

bool isBars(PgfSeries::Kind kind)
{
    return kind == PgfSeries::Kind::bars || kind == PgfSeries::Kind::stackedBars
        || kind == PgfSeries::Kind::stackedGap;
}

bool hasKind(const PgfPlot& plot, PgfSeries::Kind kind)
{
    return std::any_of(plot.series.begin(), plot.series.end(), [kind](const PgfSeries& series) {
        return series.kind == kind;
    });
}

std::string dashName(PgfSeries::Dash dash)
{
    switch (dash) {
    case PgfSeries::Dash::solid: return "solid";
    case PgfSeries::Dash::dashed: return "dashed";
    case PgfSeries::Dash::dotted: return "dotted";
    case PgfSeries::Dash::dashDotted: return "dash dot";
    }
    return "solid";
}

std::string axisOptions(const char* letter, const PgfAxis& axis)
{
    const std::string name(letter);
    std::string text;
    if (!axis.label.empty()) {
        text += "  " + name + "label={" + latexEscaped(axis.label) + "},\n";
    }
    if (axis.logBase != 0) {
        text += "  " + name + "mode=log, log basis " + name + "=" + std::to_string(axis.logBase)
            + ",\n";
    }
    if (!axis.names.empty()) {
        std::string ticks;
        std::string labels;
        for (std::size_t i = 0; i < axis.names.size(); ++i) {
            ticks += (i == 0 ? "" : ",") + std::to_string(i);
            labels += (i == 0 ? "{" : ",{") + latexEscaped(axis.names[i]) + "}";
        }
        text += "  " + name + "tick={" + ticks + "},\n  " + name + "ticklabels={" + labels
            + "},\n  " + name + " dir=reverse,\n";
    }
    return text;
}

// In points: grouped bars must not overlap the next name's.
double barWidth(const PgfPlot& plot, bool stacked)
{
    constexpr double kAxisHeight = 180.0; // of an axis as wide as a usual column of text
    constexpr double kUsual = 9.0;
    const std::size_t beside = stacked ? 1 : plot.series.size();
    const auto places = static_cast<double>(plot.y.names.size() * (beside + 1));
    const double width = places > 0.0 ? kAxisHeight / places : kUsual;
    return std::clamp(std::floor(2.0 * width) / 2.0, 1.0, kUsual);
}

std::string barOptions(const PgfPlot& plot)
{
    if (!std::any_of(plot.series.begin(), plot.series.end(), [](const PgfSeries& series) {
            return isBars(series.kind);
        })) {
        return "  grid=major, grid style={draw=black!12},\n";
    }
    const bool stacked = hasKind(plot, PgfSeries::Kind::stackedBars);
    return std::string("  ") + (stacked ? "xbar stacked" : "xbar")
        + ", bar width=" + numberText(barWidth(plot, stacked))
        + "pt, xmin=0, xmajorgrids, grid style={draw=black!12},\n";
}

std::string seriesOptions(const PgfSeries& series)
{
    const std::string colour = colourName(series.rgb);
    switch (series.kind) {
    case PgfSeries::Kind::line:
        return "[no marks, thick, " + dashName(series.dash) + ", " + colour + "]";
    case PgfSeries::Kind::marks: return "[only marks, mark=*, " + colour + "]";
    case PgfSeries::Kind::openMarks: return "[only marks, mark=o, thick, " + colour + "]";
    case PgfSeries::Kind::stackedGap: return "[draw=none, fill=none, forget plot]";
    case PgfSeries::Kind::bars:
    case PgfSeries::Kind::stackedBars: return "[fill=" + colour + ", draw=" + colour + "!60!black]";
    }
    return {};
}

bool isShowable(const PgfPlot& plot, const PgfSeries::Point& point)
{
    return std::isfinite(point.x) && std::isfinite(point.y) && (plot.x.logBase == 0 || point.x > 0)
        && (plot.y.logBase == 0 || point.y > 0);
}

std::string seriesText(const PgfPlot& plot, const PgfSeries& series)
{
    std::string text = "\\addplot+" + seriesOptions(series) + " coordinates {";
    for (const PgfSeries::Point& point : series.points) {
        if (isShowable(plot, point)) {
            text += "\n  (" + numberText(point.x) + "," + numberText(point.y) + ")";
        }
    }
    text += "\n};\n";
    if (!series.name.empty() && series.kind != PgfSeries::Kind::stackedGap) {
        text += "\\addlegendentry{" + latexEscaped(series.name) + "}\n";
    }
    return text;
}

// A line break would end the comment; signs beyond ASCII, which separate, become bars.
std::string comment(const std::string& text)
{
    std::string plain;
    for (const char c : text) {
        if (c == '\n') {
            plain += ' ';
        } else if (static_cast<unsigned char>(c) < 0x80U) {
            plain += c;
        } else if (static_cast<unsigned char>(c) >= 0xC0U) { // the first byte of a sign
            plain += '|';
        }
    }
    return "% " + plain + "\n";
}

// TeX calls PostScript's points "bp".
std::string sizeOptions(const PgfPlot& plot)
{
    if (plot.widthPoints <= 0.0) {
        return "  width=\\linewidth, height=0.62\\linewidth,\n";
    }
    const std::string type = fixedText(plot.typePoints, 2);
    return "  width=" + fixedText(plot.widthPoints, 2)
        + "bp, height=" + fixedText(plot.heightPoints, 2) + "bp,\n  font=\\fontsize{" + type
        + "bp}{" + fixedText(1.2 * plot.typePoints, 2) + "bp}\\selectfont,\n";
}

} // namespace

std::string pgfplotsText(const PgfPlot& plot)
{
    std::string text = (plot.hasTitle ? comment(plot.title) : "")
        + (plot.hasProvenance ? comment(plot.provenance) : "")
        + "% needs \\usepackage{pgfplots} and \\pgfplotsset{compat=1.16}\n";
    std::vector<std::uint32_t> colours;
    for (const PgfSeries& series : plot.series) {
        if (std::find(colours.begin(), colours.end(), series.rgb) == colours.end()) {
            colours.push_back(series.rgb);
            text += colourDefinition(series.rgb);
        }
    }
    text += "\\begin{tikzpicture}\n\\begin{axis}[\n" + sizeOptions(plot);
    text += plot.hasTitle ? "  title={" + latexEscaped(plot.title) + "},\n" : "";
    text += axisOptions("x", plot.x) + axisOptions("y", plot.y) + barOptions(plot);
    text += "  axis line style={draw=black!40}, tick align=outside,\n"
            "  legend cell align=left, legend columns=3,\n"
            "  legend style={at={(0.5,-0.25)}, anchor=north, draw=none, font=\\small,\n"
            "    /tikz/every even column/.append style={column sep=1em}},\n]\n";
    for (const PgfSeries& series : plot.series) {
        text += seriesText(plot, series);
    }
    return text + "\\end{axis}\n\\end{tikzpicture}\n";
}

} // namespace flopsmith
