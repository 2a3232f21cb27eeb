// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/export.h"

#include <QString>

#include <array>
#include <string_view>

namespace flopsmith::ui {

/// A usual width of figures, with a type size that suits it.
struct WidthPreset
{
    std::string_view id;
    const char* title = ""; ///< for ExportChoice::tr()
    double width = 0.0; ///< in its unit; 0: the person's own
    bool isInMillimetres = false;
    double typePoints = kUsualTypePoints;
    double shape = 0.0; ///< height over width; 0: that of the chart on the screen
};

/// Of exported figures, in points.
inline constexpr double kMinTypePoints = 4.0;
inline constexpr double kMaxTypePoints = 40.0;

/// Screen, one column, two columns, slide, own.
inline constexpr std::size_t kWidthPresets = 5;
const std::array<WidthPreset, kWidthPresets>& widthPresets();

/// How a person exports charts: kept from one export to the next.
struct ExportChoice
{
    std::size_t preset = 0; ///< of widthPresets()
    double width = 720.0;
    bool isInMillimetres = false;
    double typePoints = kUsualTypePoints;
    bool hasTitle = true;
    bool hasFooter = true;
    QString suffix{QStringLiteral("svg")}; ///< svg, pdf, png, csv or tex
    bool isDark = false;
    bool areOutlines = false; ///< of an SVG's texts
    QString folder{}; ///< of the last file; empty before there was one

    bool operator==(const ExportChoice&) const = default;

    /// Takes over the width and the type size of a preset.
    void choosePreset(std::size_t index);

    /// `shape`: the height over the width that the chart has on the screen; `minHeight`: what the figure
    /// asks for at the usual type size, in CSS pixels.
    ExportOptions options(double shape, int minHeight) const;

    ExportFormat format() const;
};

/// Of the last export, or the usual one.
ExportChoice storedExportChoice();
void storeExportChoice(const ExportChoice& choice);

} // namespace flopsmith::ui
