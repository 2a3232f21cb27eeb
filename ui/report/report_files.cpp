// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_files.h"

#include "core/base/text_file.h"
#include "core/report/report_text.h"
#include "ui/charts/base/export.h"
#include "ui/report/drawn_report.h"
#include "ui/report/report_pdf.h"

#include <QApplication>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr QSize kFigureSize(720, 420);

std::string figureBytes(const DrawnReport& drawn, const ReportFigure& figure, ExportFormat format)
{
    const ExportOptions options{.size = kFigureSize,
                                .style = {.hatching = format == ExportFormat::pdf}};
    return exported(drawn.figureOf(figure), format, options).toStdString();
}

// Without the declaration of a file of its own.
std::string inlineSvg(const DrawnReport& drawn, const ReportFigure& figure)
{
    const std::string svg = figureBytes(drawn, figure, ExportFormat::svg);
    return svg.substr(std::min(svg.find("<svg"), svg.size()));
}

std::string htmlText(const DrawnReport& drawn)
{
    return htmlReport(drawn.report,
                      [&drawn](const ReportFigure& figure) { return inlineSvg(drawn, figure); });
}

Status writeFigures(const DrawnReport& drawn,
                    ExportFormat format,
                    const char* suffix,
                    const std::filesystem::path& folder)
{
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) {
        return Error{folder.string() + ": cannot be made a folder: " + failed.message()};
    }
    for (const ReportFigure* figure : figuresOf(drawn.report)) {
        const std::string file = (folder / (figure->name + suffix)).string();
        FLOPSMITH_RETURN_IF_ERROR(writeFile(file, figureBytes(drawn, *figure, format)));
    }
    return Done{};
}

// Markdown and LaTeX name files of figures.
Status writeWithFigures(const DrawnReport& drawn, ReportFormat format, const std::string& file)
{
    const bool isLatex = format == ReportFormat::latex;
    const char* suffix = isLatex ? ".pdf" : ".svg";
    const std::string folder = figureFolderOf(file);
    const FigureSource fileOf = [&](const ReportFigure& figure) {
        return folder + "/" + figure.name + suffix;
    };
    if (!drawn.figures.empty()) {
        FLOPSMITH_RETURN_IF_ERROR(writeFigures(drawn,
                                               isLatex ? ExportFormat::pdf : ExportFormat::svg,
                                               suffix,
                                               std::filesystem::path(file).parent_path() / folder));
    }
    return writeFile(
        file, isLatex ? latexReport(drawn.report, fileOf) : markdownReport(drawn.report, fileOf));
}

} // namespace

Status writeReport(Report report, ReportFormat format, const std::string& file)
{
    const DrawnReport drawn = drawnReport(std::move(report));
    switch (format) {
    case ReportFormat::pdf: return writeFile(file, reportPdf(drawn).toStdString());
    case ReportFormat::html: return writeFile(file, htmlText(drawn));
    case ReportFormat::markdown:
    case ReportFormat::latex: break;
    }
    return writeWithFigures(drawn, format, file);
}

QString reportFilter()
{
    return QApplication::translate("flopsmith::ui::Report",
                                   "PDF document (*.pdf);;HTML page (*.html);;Markdown (*.md);;"
                                   "LaTeX article (*.tex)");
}

} // namespace flopsmith::ui
