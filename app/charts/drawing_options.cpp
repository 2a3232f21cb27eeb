// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/drawing_options.h"

#include "app/charts/chart_drawing.h"
#include "core/present/base/pixel_size.h"
#include "ui/theme/theme.h"

namespace flopsmith::app {

void DrawingOptions::addTo(const ArgumentParser& command)
{
    command.addOption("-o,--output", target, "The file; its suffix says svg, pdf, png, csv or tex")
        .required()
        .typeName("FILE");
    command.addOption("--size", size, "Of the drawing in CSS pixels").typeName("WxH").showDefault();
    command
        .addOption("--width",
                   width,
                   "Of the drawing, in place of --size: 85mm for one column, 174mm for two, 720px")
        .typeName("LENGTH");
    command.addOption("--type-size", typeSize, "Of the texts in points; usually 9.75")
        .typeName("POINTS");
    command.addFlag("--no-title", noTitle, "Leave out the title");
    command.addFlag("--no-footer", noFooter, "Leave out the line that says where figures are from");
    command.addOption("--theme", theme, "light or dark")
        .oneOf({"light", "dark"})
        .typeName("NAME")
        .showDefault();
    command.addFlag(
        "--outlines", outlines, "Draw the texts of an .svg as outlines, the same without the font");
}

// A width alone keeps the usual shape.
Result<QSize> DrawingOptions::pixels() const
{
    if (width.empty()) {
        return parsedSize(size);
    }
    if (size != DrawingOptions().size) {
        return Error{"give --width or --size, not both"};
    }
    FLOPSMITH_TRY(const int wide, parsedDrawingWidth(width));
    const QSize usual = ui::ExportOptions().size;
    return QSize(wide, (wide * usual.height() + usual.width() / 2) / usual.width());
}

Result<ui::ExportOptions> DrawingOptions::exportOptions() const
{
    FLOPSMITH_TRY(const QSize drawn, pixels());
    double points = ui::kUsualTypePoints;
    if (!typeSize.empty()) {
        FLOPSMITH_TRY(points, parsedTypeSize(typeSize));
    }
    FLOPSMITH_TRY(const auto format, ui::exportFormat(QString::fromStdString(target)));
    if (outlines && format != ui::ExportFormat::svg) {
        return Error{"--outlines is for an .svg file, and " + target + " is none"};
    }
    return ui::ExportOptions{
        .size = drawn,
        .typePoints = points,
        .hasTitle = !noTitle,
        .hasFooter = !noFooter,
        .isSizeOfTex = !width.empty() || !typeSize.empty(),
        .style = {.theme = theme == "dark" ? ui::darkTheme() : ui::lightTheme()},
        .svgText = outlines ? ui::SvgText::asOutlines : ui::SvgText::asText};
}

Status DrawingOptions::write(const ui::Figure& figure) const
{
    const Result<ui::ExportOptions> options = exportOptions();
    return options ? ui::exportChart(figure, QString::fromStdString(target), *options)
                   : options.error();
}

} // namespace flopsmith::app
