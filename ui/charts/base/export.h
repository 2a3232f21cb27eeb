// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/charts/base/figure.h"
#include "ui/charts/base/svg_text.h"

#include <QByteArray>
#include <QSize>
#include <QString>

#include <memory>

QT_BEGIN_NAMESPACE
class QImage;
class QMimeData;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// The formats of an exported figure, by the file's suffix.
enum class ExportFormat { svg, pdf, png, csv, tex };

/// From "figure.SVG" to svg; the error names the suffixes that are possible.
Result<ExportFormat> exportFormat(const QString& file);

/// For file dialogs: "SVG drawing (*.svg);;PDF …".
QString exportFilter();

/// The type size of exported figures, in points: 13 CSS pixels.
inline constexpr double kUsualTypePoints = 9.75;

struct ExportOptions
{
    QSize size{720, 440}; ///< in CSS pixels (1/96 inch)
    double typePoints = kUsualTypePoints; ///< of ordinary text; lines and gaps follow it
    bool hasTitle = true; ///< above the figure, or on top of its numbers
    bool hasFooter = true; ///< the provenance below it
    /// LaTeX draws the picture as wide as `size` says and sets its texts in `typePoints`; otherwise as
    /// the paper around it does.
    bool isSizeOfTex = false;
    ChartStyle style{};
    double pngScale = 2.0; ///< pixels per CSS pixel
    SvgText svgText = SvgText::asText;
};

/// The figure as a complete file: title, content, and a small line with the provenance. SVG keeps
/// text as text unless outlines are requested, and contains no images; PDF embeds its fonts; CSV is
/// in the C locale with the same line as a comment. TeX is a pgfplots picture for \input.
QByteArray exported(const Figure& figure, ExportFormat format, const ExportOptions& options);

/// Writes exported() to the file, in the format of its suffix. The file appears when it is
/// complete: an old one stays unchanged if anything goes wrong.
Status exportChart(const Figure& figure, const QString& file, const ExportOptions& options);

/// Image, SVG and tab-separated text of the figure, for the clipboard or a drag.
/// Writes the bytes of exported() to the file, likewise.
Status writeExported(const QByteArray& bytes, const QString& file);

/// Why exportChart() would refuse the figure; empty if it would not.
QString exportProblem(const Figure& figure, const ExportOptions& options);

/// What a PNG of the figure shows, with `pngScale` pixels per CSS pixel.
QImage exportedImage(const Figure& figure, const ExportOptions& options);

std::unique_ptr<QMimeData> mimeData(const Figure& figure, const ExportOptions& options);
void copyToClipboard(const Figure& figure, const ExportOptions& options = {});

} // namespace flopsmith::ui
