// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/export.h"

#include "core/base/text_file.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QMarginsF>
#include <QMimeData>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <array>
#include <cmath>

namespace flopsmith::ui {
namespace {

struct Suffix
{
    const char* name;
    ExportFormat format;
};

constexpr std::array<Suffix, 5> kSuffixes{{{"svg", ExportFormat::svg},
                                           {"pdf", ExportFormat::pdf},
                                           {"png", ExportFormat::png},
                                           {"csv", ExportFormat::csv},
                                           {"tex", ExportFormat::tex}}};

constexpr int kCssResolution = 96;
constexpr int kPdfResolution = 1200; ///< fine enough for exact positions of glyphs
constexpr double kPageMargin = 16.0;
constexpr int kLargestSide = 16'000; ///< CSS pixels, and pixels of an image

// Everything is laid out for the usual type size, and then scaled to the one that is wanted.
double scaleOf(const ExportOptions& options)
{
    return options.typePoints / kUsualTypePoints;
}

QSizeF pageSize(const ExportOptions& options)
{
    return QSizeF(options.size) / scaleOf(options);
}

void paintPage(QPainter& painter, const Figure& figure, const ExportOptions& options)
{
    const ChartStyle& style = options.style;
    const QRectF page(QPointF(0, 0), pageSize(options));
    painter.fillRect(page, style.theme.panel);
    QRectF inner = page.adjusted(kPageMargin, kPageMargin, -kPageMargin, -kPageMargin);
    const double titleHeight = style.lineHeight(1.15);
    const double sourceHeight = style.lineHeight(0.8);
    Drawing frame;
    if (options.hasTitle) {
        frame.write({inner.left(), inner.top(), inner.width(), titleHeight},
                    figure.title(),
                    style.font(1.15, QFont::DemiBold),
                    style.theme.text);
    }
    if (options.hasFooter) {
        frame.write({inner.left(), inner.bottom() - sourceHeight, inner.width(), sourceHeight},
                    figure.provenance.text(),
                    style.font(0.8),
                    style.theme.mutedText);
    }
    frame.paint(painter, style);
    inner.adjust(0,
                 options.hasTitle ? titleHeight + 8.0 : 0.0,
                 0,
                 options.hasFooter ? -sourceHeight - 8.0 : 0.0);
    figure.paint(painter, inner, style);
}

QByteArray svg(const Figure& figure, const ExportOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(kCssResolution); // the default of 72 shrinks all text
    generator.setSize(options.size);
    generator.setViewBox(QRectF(QPointF(0, 0), pageSize(options)));
    generator.setTitle(figure.title().toHtmlEscaped()); // Qt 6.4 writes both as they are
    generator.setDescription(figure.provenance.text().toHtmlEscaped());
    QPainter painter(&generator);
    paintPage(painter, figure, options);
    painter.end();
    return withPortableTexts(bytes, options.svgText);
}

QByteArray pdf(const Figure& figure, const ExportOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    constexpr double kPointsPerPixel = 72.0 / kCssResolution;
    writer.setPageSize(QPageSize(QSizeF(options.size) * kPointsPerPixel,
                                 QPageSize::Point,
                                 QString(),
                                 QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setResolution(kPdfResolution);
    writer.setTitle(figure.title());
    writer.setCreator(QStringLiteral("Flopsmith"));
    QPainter painter(&writer);
    const double scale = static_cast<double>(kPdfResolution) / kCssResolution * scaleOf(options);
    painter.scale(scale, scale);
    paintPage(painter, figure, options);
    painter.end();
    return bytes;
}

QByteArray png(const Figure& figure, const ExportOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    exportedImage(figure, options).save(&buffer, "PNG");
    return bytes;
}

// RFC 4180: quoted when a separator, a quote or a line end occurs.
QString csvCell(const QString& cell)
{
    static const QString kSpecial = QStringLiteral(",\"\r\n");
    const bool special = std::any_of(
        cell.begin(), cell.end(), [](QChar character) { return kSpecial.contains(character); });
    if (!special) {
        return cell;
    }
    QString quoted = cell;
    quoted.replace(QLatin1Char('"'), QStringLiteral("\"\""));
    return QLatin1Char('"') + quoted + QLatin1Char('"');
}

QString csvLine(const QStringList& cells)
{
    QStringList quoted;
    for (const QString& cell : cells) {
        quoted << csvCell(cell);
    }
    return quoted.join(QLatin1Char(',')) + QLatin1Char('\n');
}

// A comment is one line, whatever a model's name holds.
QString commentLine(const QString& text)
{
    return QStringLiteral("# ") + text.simplified() + QLatin1Char('\n');
}

QByteArray csv(const Figure& figure, const ExportOptions& options)
{
    const FigureTable table = figure.table();
    QString text = (options.hasTitle ? commentLine(figure.title()) : QString())
        + (options.hasFooter ? commentLine(figure.provenance.text()) : QString())
        + csvLine(table.header);
    for (const QStringList& row : table.rows) {
        text += csvLine(row);
    }
    return text.toUtf8();
}

QByteArray tex(const Figure& figure, const ExportOptions& options)
{
    PgfPlot plot = figure.plot();
    plot.title = figure.title().toStdString();
    plot.provenance = figure.provenance.text().simplified().toStdString();
    plot.hasTitle = options.hasTitle;
    plot.hasProvenance = options.hasFooter;
    if (options.isSizeOfTex) {
        constexpr double kPointsPerPixel = 72.0 / kCssResolution;
        plot.widthPoints = options.size.width() * kPointsPerPixel;
        plot.heightPoints = options.size.height() * kPointsPerPixel;
        plot.typePoints = options.typePoints;
    }
    return QByteArray::fromStdString(pgfplotsText(plot));
}

QString tabSeparated(const Figure& figure)
{
    const FigureTable table = figure.table();
    const auto line = [](const QStringList& cells) {
        QStringList clean;
        for (const QString& cell : cells) {
            clean << cell.simplified(); // no tabs, no line breaks
        }
        return clean.join(QLatin1Char('\t')) + QLatin1Char('\n');
    };
    QString text = line(table.header);
    for (const QStringList& row : table.rows) {
        text += line(row);
    }
    return text;
}

Status checkedSize(const QSize& size)
{
    constexpr int kMinSide = 120;
    if (std::min(size.width(), size.height()) >= kMinSide
        && std::max(size.width(), size.height()) <= kLargestSide) {
        return Done{};
    }
    return Error{"a figure of " + std::to_string(size.width()) + " x "
                 + std::to_string(size.height()) + " pixels cannot be drawn; each side must be "
                 + std::to_string(kMinSide) + " to " + std::to_string(kLargestSide)};
}

} // namespace

Result<ExportFormat> exportFormat(const QString& file)
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    for (const Suffix& each : kSuffixes) {
        if (suffix == QLatin1String(each.name)) {
            return each.format;
        }
    }
    const QString problem = suffix.isEmpty() ? Charts::tr("has no suffix")
                                             : Charts::tr("has the suffix .%1").arg(suffix);
    return Error{(file + QLatin1Char(' ') + problem
                  + Charts::tr("; a figure can be .svg, .pdf, .png, .csv or .tex"))
                     .toStdString()};
}

QString exportFilter()
{
    return QApplication::translate("flopsmith::ui::Export",
                                   "SVG drawing (*.svg);;PDF document (*.pdf);;PNG image "
                                   "(*.png);;Table of its numbers (*.csv);;"
                                   "LaTeX picture for pgfplots (*.tex)");
}

QByteArray exported(const Figure& figure, ExportFormat format, const ExportOptions& options)
{
    switch (format) {
    case ExportFormat::svg: return svg(figure, options);
    case ExportFormat::pdf: return pdf(figure, options);
    case ExportFormat::png: return png(figure, options);
    case ExportFormat::csv: return csv(figure, options);
    case ExportFormat::tex: return tex(figure, options);
    }
    return {};
}

QImage exportedImage(const Figure& figure, const ExportOptions& options)
{
    const double longest = std::max(options.size.width(), options.size.height());
    const double scale = std::clamp(options.pngScale, 0.1, kLargestSide / longest);
    QImage image(options.size * scale, QImage::Format_ARGB32_Premultiplied);
    image.fill(options.style.theme.panel);
    image.setDotsPerMeterX(static_cast<int>(std::lround(kCssResolution * scale / 0.0254)));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    QPainter painter(&image);
    painter.scale(scale * scaleOf(options), scale * scaleOf(options));
    paintPage(painter, figure, options);
    painter.end();
    return image;
}

// Not QSaveFile: it replaces the file even if the end of the bytes could not be written.
Status writeExported(const QByteArray& bytes, const QString& file)
{
    const Status done = writeFile(QFile::encodeName(file).toStdString(),
                                  {bytes.constData(), static_cast<std::size_t>(bytes.size())});
    if (!done) {
        return Error{Charts::tr("%1; choose another place")
                         .arg(QString::fromStdString(done.error().message))
                         .toStdString()};
    }
    return Done{};
}

QString exportProblem(const Figure& figure, const ExportOptions& options)
{
    if (const Status size = checkedSize(options.size); !size) {
        return QString::fromStdString(size.error().message);
    }
    const QString reason = figure.emptyText();
    return reason.isEmpty() ? QString()
                            : Charts::tr("the figure is empty: %1").arg(reason.simplified());
}

Status exportChart(const Figure& figure, const QString& file, const ExportOptions& options)
{
    FLOPSMITH_TRY(const ExportFormat format, exportFormat(file));
    if (const QString problem = exportProblem(figure, options); !problem.isEmpty()) {
        return Error{problem.toStdString()};
    }
    return writeExported(exported(figure, format, options), file);
}

std::unique_ptr<QMimeData> mimeData(const Figure& figure, const ExportOptions& options)
{
    auto data = std::make_unique<QMimeData>();
    data->setImageData(exportedImage(figure, options));
    data->setData(QStringLiteral("image/svg+xml"), svg(figure, options));
    data->setText(tabSeparated(figure));
    return data;
}

void copyToClipboard(const Figure& figure, const ExportOptions& options)
{
    QApplication::clipboard()->setMimeData(mimeData(figure, options).release()); // it takes it
}

} // namespace flopsmith::ui
