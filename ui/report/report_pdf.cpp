// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_pdf.h"

#include "ui/report/page_items.h"

#include <QBuffer>
#include <QMarginsF>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

#include <array>

namespace flopsmith::ui {
namespace {

// In CSS pixels, 96 to the inch.
constexpr double kPageWidth = 210.0 / 25.4 * 96.0;
constexpr double kPageHeight = 297.0 / 25.4 * 96.0;
constexpr double kSideMargin = 56.0;
constexpr double kTopMargin = 48.0;
constexpr double kFooterHeight = 16.0;
constexpr double kFooterGap = 12.0;
constexpr double kTextWidth = kPageWidth - 2 * kSideMargin;
constexpr double kTextHeight = kPageHeight - 2 * kTopMargin - kFooterHeight - kFooterGap;

constexpr std::array<int, 4> kTextSizes{12, 11, 10, 9}; ///< pixels: 9 to 6.75 points
constexpr int kDotsPerInch = 1200;

void paintFooter(QPainter& painter, const Report& report, std::size_t page, std::size_t pages)
{
    const ChartStyle style;
    const QRectF line(0.0, kTextHeight + kFooterGap, kTextWidth, kFooterHeight);
    constexpr double kNumberWidth = 60.0;
    Drawing footer;
    footer.write(line.adjusted(0, 0, -kNumberWidth, 0),
                 toQt(report.footer),
                 style.font(0.7),
                 style.theme.mutedText);
    footer.write(line,
                 QStringLiteral("%1 / %2").arg(page + 1).arg(pages),
                 style.font(0.7),
                 style.theme.mutedText,
                 Qt::AlignRight | Qt::AlignVCenter);
    footer.paint(painter, style);
}

void paintPages(QPdfWriter& writer,
                const Report& report,
                const std::vector<std::vector<PlacedPageItem>>& pages)
{
    QPainter painter(&writer);
    constexpr double kScale = kDotsPerInch / 96.0;
    painter.scale(kScale, kScale);
    painter.translate(kSideMargin, kTopMargin);
    for (std::size_t i = 0; i < pages.size(); ++i) {
        if (i > 0) {
            writer.newPage();
        }
        for (const PlacedPageItem& placed : pages[i]) {
            placed.item->paint(painter, placed.top);
        }
        paintFooter(painter, report, i, pages.size());
    }
}

} // namespace

QByteArray reportPdf(const DrawnReport& drawn)
{
    std::vector<PageItem> items;
    std::vector<std::vector<PlacedPageItem>> pages;
    for (const int textPixels : kTextSizes) {
        items = pageItems(drawn, kTextWidth, textPixels);
        pages = pagesOf(items, kTextHeight);
        if (drawn.report.pages == 0 || static_cast<int>(pages.size()) <= drawn.report.pages) {
            break;
        }
    }
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setResolution(kDotsPerInch);
    writer.setTitle(toQt(drawn.report.title));
    writer.setCreator(QStringLiteral("Flopsmith"));
    paintPages(writer, drawn.report, pages);
    return bytes;
}

} // namespace flopsmith::ui
