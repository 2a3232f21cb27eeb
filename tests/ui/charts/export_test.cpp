// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/export.h"

#include "core/base/text.h"
#include "core/study/variation/axis.h"
#include "tests/support/file_size_limit.h"
#include "tests/ui/charts/samples.h"
#include "ui/charts/scaling/scaling_figure.h"
#include "ui/charts/share/share_figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QFontMetricsF>
#include <QImage>
#include <QLocale>
#include <QMimeData>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTransform>
#include <QXmlStreamReader>

#include <cmath>
#include <vector>

namespace flopsmith::ui {
namespace {

using testing::HasSubstr;

/// What an SVG file draws, in page coordinates.
struct SvgContent
{
    QString title;
    QStringList texts;
    int images = 0;
    struct Curve
    {
        QString colour;
        double width = 0.0;
        std::vector<QPointF> points;
    };
    std::vector<Curve> curves;
    QString error;
};

std::vector<QPointF> numbersAsPoints(const QString& text, const QTransform& transform)
{
    static const QRegularExpression kNumber(QStringLiteral("-?[0-9.]+(?:e[-+]?[0-9]+)?"));
    std::vector<double> numbers;
    auto match = kNumber.globalMatch(text);
    while (match.hasNext()) {
        numbers.push_back(match.next().captured().toDouble());
    }
    std::vector<QPointF> points;
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
        points.push_back(transform.map(QPointF(numbers[i], numbers[i + 1])));
    }
    return points;
}

QTransform transformOf(const QString& attribute)
{
    const QStringList n = attribute.mid(7).chopped(1).split(QLatin1Char(','));
    return n.size() == 6 ? QTransform(n[0].toDouble(),
                                      n[1].toDouble(),
                                      n[2].toDouble(),
                                      n[3].toDouble(),
                                      n[4].toDouble(),
                                      n[5].toDouble())
                         : QTransform();
}

SvgContent parsedSvg(const QByteArray& bytes)
{
    SvgContent content;
    QXmlStreamReader xml(bytes);
    QTransform transform; // QSvgGenerator writes whole transformations, never nested ones
    QString colour;
    double width = 0.0;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        const auto attributes = xml.attributes();
        if (xml.name() == QLatin1String("g")
            && attributes.hasAttribute(QLatin1String("transform"))) {
            transform = transformOf(attributes.value(QLatin1String("transform")).toString());
            colour = attributes.value(QLatin1String("stroke")).toString();
            width = attributes.value(QLatin1String("stroke-width")).toDouble();
        } else if (xml.name() == QLatin1String("title")) {
            content.title = xml.readElementText();
        } else if (xml.name() == QLatin1String("text")) {
            content.texts << xml.readElementText();
        } else if (xml.name() == QLatin1String("image")) {
            ++content.images;
        } else if (xml.name() == QLatin1String("polyline") || xml.name() == QLatin1String("path")) {
            const bool path = xml.name() == QLatin1String("path");
            const QString numbers =
                attributes.value(path ? QLatin1String("d") : QLatin1String("points")).toString();
            content.curves.push_back({colour, width, numbersAsPoints(numbers, transform)});
        }
    }
    content.error = xml.hasError() ? xml.errorString() : QString();
    return content;
}

ExportOptions optionsOf(int width, int height)
{
    return {.size = QSize(width, height)};
}

class ExportedSvg : public testing::TestWithParam<ChartId>
{};

TEST_P(ExportedSvg, IsTextAndVectorsOnly)
{
    const auto figure = figureOf(requestOf(GetParam()));

    const SvgContent svg = parsedSvg(exported(*figure, ExportFormat::svg, optionsOf(720, 440)));

    EXPECT_EQ(svg.error, QString());
    EXPECT_EQ(svg.images, 0);
    EXPECT_GE(svg.texts.size(), 8);
    EXPECT_EQ(svg.title, figure->title());
    EXPECT_THAT(svg.texts.join(QLatin1Char('|')).toStdString(),
                HasSubstr(GetParam() == ChartId::claims ? "d_model 4096" : "GPT-2 small"));
    for (const SvgContent::Curve& curve : svg.curves) {
        for (const QPointF& point : curve.points) {
            EXPECT_TRUE(QRectF(-1, -1, 722, 442).contains(point));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(EveryKind, ExportedSvg, testing::ValuesIn(allKinds()));

// A viewer without the font takes another one, at the same place and of the same width.
TEST_P(ExportedSvg, TextsKeepTheirWidthInAnyFont)
{
    const QByteArray svg =
        exported(*figureOf(requestOf(GetParam())), ExportFormat::svg, optionsOf(720, 440));
    QXmlStreamReader xml(svg);
    int texts = 0;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement
            || xml.name() != QLatin1String("text")) {
            continue;
        }
        const QXmlStreamAttributes attributes = xml.attributes();
        const QString families = attributes.value(QLatin1String("font-family")).toString();
        EXPECT_TRUE(families.endsWith(QLatin1String("sans-serif"))
                    || families.endsWith(QLatin1String("monospace")))
            << families.toStdString();
        const QString text = xml.readElementText();
        if (text.trimmed().isEmpty()) {
            continue;
        }
        ++texts;
        QFont font(families.section(QLatin1Char(','), 0, 0));
        font.setPixelSize(qRound(attributes.value(QLatin1String("font-size")).toDouble()));
        font.setWeight(
            static_cast<QFont::Weight>(attributes.value(QLatin1String("font-weight")).toInt()));
        const double width = QFontMetricsF(font).horizontalAdvance(text);
        EXPECT_NEAR(
            attributes.value(QLatin1String("textLength")).toDouble(), width, 2.0 + 0.06 * width)
            << text.toStdString();
    }
    EXPECT_GE(texts, 8);
}

// Drawn by another renderer, both ways show the same.
TEST_P(ExportedSvg, OutlinesHoldNoTextAndLookTheSame)
{
    const auto figure = figureOf(requestOf(GetParam()));
    ExportOptions options = optionsOf(720, 440);
    const QByteArray asText = exported(*figure, ExportFormat::svg, options);
    options.svgText = SvgText::asOutlines;
    const QByteArray asOutlines = exported(*figure, ExportFormat::svg, options);

    EXPECT_TRUE(parsedSvg(asOutlines).texts.isEmpty());
    const auto drawn = [](const QByteArray& svg) {
        QImage image(720, 440, QImage::Format_Grayscale8);
        image.fill(Qt::white);
        QPainter painter(&image);
        QSvgRenderer(svg).render(&painter);
        return image;
    };
    const QImage one = drawn(asText);
    const QImage other = drawn(asOutlines);
    double difference = 0.0;
    double ink = 0.0;
    for (int y = 0; y < one.height(); ++y) {
        for (int x = 0; x < one.width(); ++x) {
            difference += std::abs(one.constScanLine(y)[x] - other.constScanLine(y)[x]);
            ink += 255 - one.constScanLine(y)[x];
        }
    }
    EXPECT_LT(difference, 0.25 * ink);
}

// Qt's SVG files know no clip: a curve that leaves the plot would run over title and legend.
TEST(ExportedScaling, NoCurveLeavesThePlot)
{
    for (const auto& size : {std::pair(280, 260), std::pair(720, 440), std::pair(1400, 800)}) {
        const auto figure = figureOf(requestOf(ChartId::scaling));
        const auto options = optionsOf(size.first, size.second);

        const SvgContent svg = parsedSvg(exported(*figure, ExportFormat::svg, options));

        // The curves are the strokes of these widths; see scalingPlot().
        double left = 1e9;
        double right = -1e9;
        double top = 1e9;
        double bottom = -1e9;
        for (const SvgContent::Curve& curve : svg.curves) { // the grid spans the plot
            if (curve.colour == lightTheme().grid.name()) {
                for (const QPointF& point : curve.points) {
                    left = std::min(left, point.x());
                    right = std::max(right, point.x());
                    top = std::min(top, point.y());
                    bottom = std::max(bottom, point.y());
                }
            }
        }
        std::size_t points = 0;
        for (const SvgContent::Curve& curve : svg.curves) {
            const bool isCurve =
                std::abs(curve.width - 2.6) < 0.01 || std::abs(curve.width - 2.0) < 0.01;
            for (const QPointF& point : curve.points) {
                points += isCurve ? 1 : 0;
                EXPECT_TRUE(!isCurve
                            || QRectF(QPointF(left, top), QPointF(right, bottom))
                                   .adjusted(-0.1, -0.1, 0.1, 0.1)
                                   .contains(point))
                    << point.x() << ", " << point.y();
            }
        }
        EXPECT_GE(points, 60U) << "the curves were not found";
    }
}

TEST(ExportedChart, NamesWithMarkupStayNames)
{
    FigureRequest request = requestOf(ChartId::scaling);
    request.scenario.model.name = "Q<K & <b>bold</b> \"x\" \x01\x1B";
    const auto figure = figureOf(request);

    const SvgContent svg = parsedSvg(exported(*figure, ExportFormat::svg, optionsOf(900, 500)));

    EXPECT_EQ(svg.error, QString());
    EXPECT_THAT(svg.texts.join(QLatin1Char('|')).toStdString(),
                HasSubstr("Q<K & <b>bold</b> \"x\""));
}

TEST(ExportedChart, PdfEmbedsItsFontsAndHasTheAskedSize)
{
    for (const ChartId kind : allKinds()) {
        const QByteArray pdf =
            exported(*figureOf(requestOf(kind)), ExportFormat::pdf, optionsOf(720, 480));

        EXPECT_TRUE(pdf.startsWith("%PDF-"));
        EXPECT_TRUE(pdf.contains("/FontFile"));
        EXPECT_TRUE(pdf.contains("/MediaBox [0 0 540.0")) << "720 px are 540 pt";
        EXPECT_FALSE(pdf.contains("/Subtype /Image"));
    }
}

TEST(ExportedChart, PngHasTheScaleAndIsNotBlank)
{
    for (const ChartId kind : allKinds()) {
        const QImage image = QImage::fromData(
            exported(*figureOf(requestOf(kind)), ExportFormat::png, optionsOf(400, 300)));

        ASSERT_EQ(image.size(), QSize(800, 600));
        int coloured = 0;
        for (int y = 0; y < image.height(); y += 2) {
            for (int x = 0; x < image.width(); x += 2) {
                coloured += image.pixelColor(x, y).saturation() > 60 ? 1 : 0;
            }
        }
        EXPECT_GT(coloured, 300);
    }
}

TEST(ExportedChart, CsvIsInTheCLocaleWithItsSource)
{
    QLocale::setDefault(QLocale(QLocale::German));
    const QByteArray csv = exported(*figureOf(requestOf(ChartId::share)), ExportFormat::csv, {});
    QLocale::setDefault(QLocale::c());

    const QStringList lines = QString::fromUtf8(csv).split(QLatin1Char('\n'));
    EXPECT_THAT(lines.at(1).toStdString(), HasSubstr("# GPT-2 small, half swapped"));
    EXPECT_THAT(lines.at(1).toStdString(), HasSubstr("lens exact"));
    EXPECT_EQ(lines.at(2),
              QStringLiteral("component,title,flops,flops_share,seconds,seconds_share,parameters,"
                             "parameters_share"));
    double shares = 0.0;
    for (qsizetype i = 3; i < lines.size() && !lines.at(i).isEmpty(); ++i) {
        const QString rest = lines.at(i).section(QLatin1Char(','), -6); // a title may have a comma
        shares += rest.section(QLatin1Char(','), 1, 1).toDouble();
    }
    EXPECT_NEAR(shares, 1.0, 1e-12);
}

TEST(ExportedChart, CsvQuotesWhatNeedsIt)
{
    FigureRequest request = requestOf(ChartId::scaling);
    request.scenario.model.name = "a,\"b\"\nc";

    const QString csv = QString::fromUtf8(exported(*figureOf(request), ExportFormat::csv, {}));

    EXPECT_THAT(csv.toStdString(), HasSubstr("\n\"a,\"\"b\"\"\nc\",128,"));
    EXPECT_TRUE(csv.split(QLatin1Char('\n')).at(2).startsWith(QStringLiteral("variant,seq,flops")));
}

TEST(ExportedChart, MeasuredPointsAreInEveryFile)
{
    FigureRequest request = requestOf(ChartId::scaling);
    request.curves = curvesOf(request.scenario);
    request.device = "a test";
    const auto figure = figureOf(request);
    const auto& measured = *dynamic_cast<const ScalingFigure&>(*figure).chart().measured;

    const QString csv = QString::fromUtf8(exported(*figure, ExportFormat::csv, {}));
    const QString tex = QString::fromUtf8(exported(*figure, ExportFormat::tex, {}));

    EXPECT_TRUE(csv.contains(QLatin1String("a test")));
    EXPECT_EQ(csv.split(QLatin1Char('\n')).at(2),
              QStringLiteral("variant,seq,flops,time,time_mad,flops_per_second"));
    std::size_t points = 0;
    for (const MeasuredScalingCurve& curve : measured.curves) {
        for (const MeasuredScalingPoint& point : curve.points) {
            const QString row = QStringLiteral(",%1,%2,%3\n")
                                    .arg(toQt(numberText(point.seconds)),
                                         toQt(numberText(point.madSeconds)),
                                         toQt(numberText(point.flopsPerSecond)));
            EXPECT_TRUE(csv.contains(row)) << qPrintable(row);
            const QString place = QStringLiteral("(%1,%2)").arg(
                toQt(numberText(point.x)), toQt(numberText(point.value * measured.factor)));
            EXPECT_TRUE(tex.contains(place)) << qPrintable(place);
            ++points;
        }
    }
    EXPECT_EQ(points, request.curves->plan.points.size());
    EXPECT_TRUE(tex.contains(QLatin1String("measured time")));
}

TEST(ExportedChart, LatexHoldsEveryPointOfTheTable)
{
    const auto figure = figureOf(requestOf(ChartId::scaling));

    const QByteArray tex = exported(*figure, ExportFormat::tex, {});

    EXPECT_GT(figure->table().rows.size(), 6U);
    for (const QStringList& row : figure->table().rows) {
        const QString point = QStringLiteral("(%1,%2)").arg(row.at(1), row.at(2));
        EXPECT_TRUE(tex.contains(point.toUtf8())) << qPrintable(point);
    }
    for (const char c : tex) {
        EXPECT_GT(c, 0); // any LaTeX engine reads it
    }
}

TEST(ExportChart, WritesEachFormatBySuffix)
{
    const QTemporaryDir folder;
    const auto figure = figureOf(requestOf(ChartId::runtime));
    for (const char* name : {"a.svg", "a.PDF", "a.png", "a.csv", "a.tex"}) {
        const QString file = folder.filePath(QLatin1String(name));

        const Status status =
            exportChart(*figure, file, {.size = QSize(500, 400), .style = {.theme = darkTheme()}});

        EXPECT_TRUE(status.ok()) << name;
        EXPECT_GT(QFileInfo(file).size(), 300) << name;
    }
}

std::string problemOf(const Status& status)
{
    return status.ok() ? "no problem" : status.error().message;
}

TEST(ExportChart, RefusesInOneSentence)
{
    const QTemporaryDir folder;
    const auto figure = figureOf(requestOf(ChartId::share));
    const QString good = folder.filePath(QStringLiteral("a.svg"));

    EXPECT_THAT(problemOf(exportChart(*figure, QStringLiteral("x.gif"), {})), HasSubstr(".svg"));
    EXPECT_THAT(problemOf(exportChart(*figure, QStringLiteral("x"), {})), HasSubstr("no suffix"));
    EXPECT_THAT(problemOf(exportChart(*figure, good, optionsOf(0, 300))), HasSubstr("pixels"));
    EXPECT_THAT(problemOf(exportChart(*figure, good, optionsOf(99999, 300))), HasSubstr("pixels"));
    EXPECT_THAT(
        problemOf(exportChart(*figure, folder.filePath(QStringLiteral("no/such/a.svg")), {})),
        HasSubstr("cannot be written"));
    QDir(folder.path()).mkdir(QStringLiteral("b.svg"));
    EXPECT_THAT(problemOf(exportChart(*figure, folder.filePath(QStringLiteral("b.svg")), {})),
                HasSubstr("folder"));
    EXPECT_THAT(problemOf(exportChart(ShareFigure({}), good, {})), HasSubstr("empty"));
    EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList());
}

TEST(ExportChart, AFailureLeavesTheOldFileAsItWas)
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("old.svg"));
    QFile old(file);
    ASSERT_TRUE(old.open(QIODevice::WriteOnly));
    old.write("precious");
    old.close();
    const auto figure = figureOf(requestOf(ChartId::share));

    EXPECT_FALSE(exportChart(*figure, file, optionsOf(1, 1)).ok());

    ASSERT_TRUE(old.open(QIODevice::ReadOnly));
    EXPECT_EQ(old.readAll(), QByteArray("precious"));
}

TEST(ExportChart, AFileThatCannotBeWrittenToItsEndIsLeftAsItWas)
{
    const QTemporaryDir folder;
    const auto figure = figureOf(requestOf(ChartId::runtime));
    for (const char* name : {"a.svg", "a.pdf", "a.png", "a.csv", "a.tex"}) {
        QFile file(folder.filePath(QLatin1String(name)));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write("precious");
        file.close();

        {
            const flopsmith::test::FileSizeLimit full(100);
            EXPECT_THAT(problemOf(exportChart(*figure, file.fileName(), optionsOf(500, 400))),
                        HasSubstr("cannot be written"))
                << name;
        }

        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        EXPECT_EQ(file.readAll(), QByteArray("precious")) << name;
    }
    EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 5);
}

TEST(Clipboard, HoldsImageSvgAndTableAtOnce)
{
    copyToClipboard(*figureOf(requestOf(ChartId::share)));

    const QMimeData* data = QApplication::clipboard()->mimeData();
    EXPECT_TRUE(data->hasImage());
    EXPECT_THAT(data->data(QStringLiteral("image/svg+xml")).toStdString(), HasSubstr("<svg"));
    EXPECT_TRUE(data->text().startsWith(QStringLiteral("component\ttitle\tflops\t")));
}

TEST(ScalingFigure, DrawsTheAxisItIsGiven)
{
    FigureRequest request = requestOf(ChartId::scaling);
    request.axis = axisBetween(request.scenario, "seq", 256, 2048, {Spacing::Kind::log2}).value();

    const auto figure = figureOf(request);

    const FigureTable table = figure->table();
    EXPECT_EQ(table.rows.front().at(1), QStringLiteral("256"));
    EXPECT_EQ(table.rows.size(), 3U * 4U);
    EXPECT_EQ(figure->provenance.lens, QStringLiteral("exact"));
    EXPECT_EQ(figure->provenance.device, QString()) << "nothing in it is measured";
}

} // namespace
} // namespace flopsmith::ui
