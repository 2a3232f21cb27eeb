// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/drawing_options.h"

#include "app/charts/chart_drawing.h"
#include "ui/theme/theme.h"

namespace flopsmith::app {

void DrawingOptions::addTo(const ArgumentParser& command)
{
    command.addOption("-o,--output", target, "The file; its suffix says svg, pdf, png, csv or tex")
        .required()
        .typeName("FILE");
    command.addOption("--size", size, "Of the drawing in CSS pixels").typeName("WxH").showDefault();
    command.addOption("--theme", theme, "light or dark")
        .oneOf({"light", "dark"})
        .typeName("NAME")
        .showDefault();
    command.addFlag(
        "--outlines", outlines, "Draw the texts of an .svg as outlines, the same without the font");
}

Result<ui::ExportOptions> DrawingOptions::exportOptions() const
{
    const Result<QSize> pixels = parsedSize(size);
    if (!pixels) {
        return Error{"--size " + pixels.error().message};
    }
    FLOPSMITH_TRY(const auto format, ui::exportFormat(QString::fromStdString(target)));
    if (outlines && format != ui::ExportFormat::svg) {
        return Error{"--outlines is for an .svg file, and " + target + " is none"};
    }
    return ui::ExportOptions{
        .size = *pixels,
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
