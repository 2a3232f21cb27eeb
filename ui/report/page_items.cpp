// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/page_items.h"

#include "core/io/table/table_parts.h"
#include "core/report/escaping.h"
#include "core/report/math_text.h"
#include "core/report/report_text.h"
#include "core/share/share_code.h"
#include "ui/report/page_text.h"
#include "ui/report/qr_painting.h"
#include "ui/theme/text_cache.h"

#include <QPainter>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <variant>

namespace flopsmith::ui {
namespace {

constexpr double kTitleSize = 1.7; // relative to the text
constexpr double kHeadingSize = 1.15;
constexpr double kTableSize = 0.88;
constexpr double kNoteSize = 0.82;
constexpr double kColumnGap = 14.0;
constexpr double kFigureGap = 16.0;
constexpr double kLineSpacing = 1.12; ///< of a line of text, relative to its height
constexpr int kChartTextPixels = 13; ///< of a chart's own layout, which is scaled to the report's

/// How a paragraph looks.
struct TextLook
{
    double size = 1.0;
    QFont::Weight weight = QFont::Normal;
    bool isPale = false;
    double gap = 0.5; ///< below it, in lines
    bool keepsNext = false;
};

void paintFigure(QPainter& painter, const QRectF& area, const Figure& figure, double scale)
{
    const ChartStyle style{.textPixels = kChartTextPixels, .hatching = true};
    const double line = style.lineHeight(1.1);
    const QRectF inner(0, 0, area.width() / scale, area.height() / scale);
    painter.save();
    painter.translate(area.topLeft());
    painter.scale(scale, scale);
    Drawing title;
    title.write({0, 0, inner.width(), line},
                figure.title(),
                style.font(1.0, QFont::DemiBold),
                style.theme.text);
    title.paint(painter, style);
    figure.paint(painter, inner.adjusted(0, line + 4.0, 0, 0), style);
    painter.restore();
}

QString cellText(const Cell& cell)
{
    return toQt(indentOf(cell, "\xE2\x80\x83") + cell.shown);
}

/// Turns the blocks of a report into items, one after another.
class ItemMaker
{
public:
    ItemMaker(const DrawnReport& drawn, double width, int textPixels)
        : m_drawn(drawn)
        , m_width(width)
        , m_style{.textPixels = textPixels}
    {}

    std::vector<PageItem> items()
    {
        addText(htmlEscaped(m_drawn.report.title),
                {.size = kTitleSize, .weight = QFont::DemiBold, .gap = 0.0, .keepsNext = true});
        addText(htmlEscaped(m_drawn.report.subtitle),
                {.size = kNoteSize, .isPale = true, .gap = 0.7});
        for (const ReportBlock& block : m_drawn.report.blocks) {
            std::visit(*this, block);
        }
        return std::move(m_items);
    }

    void operator()(const ReportHeading& heading)
    {
        addGap(0.5);
        addText(htmlEscaped(heading.text),
                {.size = kHeadingSize, .weight = QFont::DemiBold, .gap = 0.25, .keepsNext = true});
    }

    void operator()(const ReportText& text)
    {
        addText(htmlEscaped(text.text),
                {.size = text.isSmall ? kNoteSize : 1.0, .isPale = text.isSmall});
    }

    void operator()(const Table& table)
    {
        if (!table.caption.empty()) {
            addText(htmlEscaped(table.caption),
                    {.size = kTableSize, .isPale = true, .gap = 0.2, .keepsNext = true});
        }
        const Table shown = printable(table);
        std::vector<std::vector<QString>> rows(1);
        for (const std::string& title : titles(shown)) {
            rows.front().push_back(toQt(title));
        }
        for (const std::vector<Cell>& row : shown.rows) {
            std::vector<QString>& texts = rows.emplace_back();
            std::transform(row.begin(), row.end(), std::back_inserter(texts), cellText);
        }
        addRows(rows, shown.columns);
        addGap(0.5);
    }

    void operator()(const ReportFigures& row)
    {
        const auto count = static_cast<double>(row.figures.size());
        const double width = (m_width - kFigureGap * (count - 1.0)) / count;
        const double height = (count > 1.0 ? 0.74 : 0.36) * width;
        const double scale = static_cast<double>(m_style.textPixels) / (kChartTextPixels + 2);
        const double line = m_style.lineHeight(kNoteSize);
        PageItem item{.height = height + line + 4.0};
        item.paint = [style = m_style, &drawn = m_drawn, &row, width, height, scale, line](
                         QPainter& painter, double top) {
            double left = 0.0;
            for (const ReportFigure& figure : row.figures) {
                paintFigure(painter, {left, top, width, height}, drawn.figureOf(figure), scale);
                Drawing caption;
                caption.write({left, top + height + 2.0, width, line},
                              toQt(figure.caption),
                              style.font(kNoteSize),
                              style.theme.mutedText);
                caption.paint(painter, style);
                left += width + kFigureGap;
            }
        };
        m_items.push_back(std::move(item));
        addGap(0.4);
    }

    void operator()(const ReportFormula& formula)
    {
        const TextLook look{.gap = 0.0, .keepsNext = true};
        addText(htmlEscaped(formula.of),
                {.weight = QFont::DemiBold, .gap = 0.0, .keepsNext = true});
        addText(mathHtml(formula.letters), look);
        addText("= " + mathHtml(formula.numbers), look);
        addText((formula.isRounded ? "\xE2\x89\x88 <b>" : "= <b>") + htmlEscaped(formula.value)
                    + "</b>",
                {.gap = formula.symbols.empty() ? 0.4 : 0.0});
        const auto spell = [](const FormulaSymbol& symbol) { return mathHtml(symbol.name); };
        const auto escape = [](const std::string& text) { return htmlEscaped(text); };
        addText(symbolWords(formula.symbols, m_drawn.report.language, spell, escape),
                {.size = kNoteSize, .isPale = true, .gap = 0.4});
    }

    void operator()(const ReportOptions& options)
    {
        for (std::size_t i = 0; i < options.texts.size(); ++i) {
            addText("<b>" + optionMark(i) + "</b>&emsp;" + htmlEscaped(options.texts[i]),
                    {.gap = 0.2, .keepsNext = true});
        }
        addGap(0.3);
    }

    void operator()(const ReportAnswerBox& box)
    {
        constexpr double kInset = 8.0;
        const auto text =
            laidOut(toQt(htmlEscaped(box.text)), m_style.font(), m_width - 2 * kInset);
        const double height = std::max(box.lines * m_style.lineHeight(1.3),
                                       text->size().height() + m_style.lineHeight());
        const QRectF area(0, 0, m_width, height);
        const QString unit = toQt(box.unit);
        PageItem item{.height = height};
        item.paint = [style = m_style, area, unit, text](QPainter& painter, double top) {
            const QRectF frame = area.translated(0, top);
            Drawing drawing;
            drawing.outline(frame, 4.0, QPen(style.theme.mutedText, 0.8));
            drawing.write(frame.adjusted(8, 4, -8, -4),
                          unit,
                          style.font(kNoteSize),
                          style.theme.mutedText,
                          Qt::AlignRight | Qt::AlignBottom);
            drawing.paint(painter, style);
            paintText(painter, frame.topLeft() + QPointF(kInset, 4.0), *text, style.theme.text);
        };
        m_items.push_back(std::move(item));
        addGap(0.7);
    }

    // The picture at the left, hint and code at its right.
    void operator()(const ReportShareCode& share)
    {
        const Result<QrCode> code = QrCode::create(shareLink(share.code));
        const double side = code ? qrSide(*code) : 0.0;
        const double left = code ? side + kFigureGap : 0.0;
        const auto text = laidOut(toQt(htmlEscaped(share.hint) + "<br>" + htmlEscaped(share.code)),
                                  m_style.font(kNoteSize),
                                  m_width - left);
        PageItem item{.height = std::max(side, text->size().height())};
        item.paint = [code, side, left, text, colour = m_style.theme.text](QPainter& painter,
                                                                           double top) {
            if (code) {
                paintQrCode(painter, {0.0, top, side, side}, *code);
            }
            paintText(painter, QPointF(left, top), *text, colour);
        };
        m_items.push_back(std::move(item));
        addGap(0.4);
    }

    void operator()(const ReportPageBreak& /*here*/) { m_items.push_back({.beginsPage = true}); }

private:
    void addGap(double lines) { m_items.push_back({.height = lines * m_style.lineHeight()}); }

    // An item for each line, so that a long paragraph can continue on the next page.
    void addText(const std::string& html, const TextLook& look)
    {
        if (html.empty()) {
            return;
        }
        const auto document = laidOut(toQt(html), m_style.font(look.size, look.weight), m_width);
        const QColor colour = look.isPale ? m_style.theme.mutedText : m_style.theme.text;
        for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
            for (int i = 0; i < block.layout()->lineCount(); ++i) {
                const QTextLine line = block.layout()->lineAt(i);
                PageItem item{.height = line.height() * kLineSpacing, .keepsNext = look.keepsNext};
                item.paint = [document, line, colour](QPainter& painter, double top) {
                    painter.setPen(colour);
                    line.draw(&painter, QPointF(0.0, top - line.y()));
                };
                m_items.push_back(std::move(item));
            }
        }
        if (look.gap > 0.0) {
            addGap(look.gap);
        }
    }

    // If the natural widths are too wide together, the type of the whole table is made smaller.
    void addRows(const std::vector<std::vector<QString>>& rows, const std::vector<Column>& columns)
    {
        double size = kTableSize;
        std::vector<double> widths = columnWidths(rows, size);
        constexpr double kSmallest = 0.55;
        constexpr double kStep = 0.06;
        while (tableWidth(widths) > m_width && size > kSmallest) {
            size -= kStep;
            widths = columnWidths(rows, size);
        }
        for (std::size_t i = 0; i < rows.size(); ++i) {
            addRow(rows[i], columns, widths, size, i == 0);
        }
    }

    std::vector<double> columnWidths(const std::vector<std::vector<QString>>& rows,
                                     double size) const
    {
        const QFont font = m_style.font(size, QFont::DemiBold);
        std::vector<double> widths(rows.front().size(), 0.0);
        for (const std::vector<QString>& row : rows) {
            for (std::size_t i = 0; i < std::min(row.size(), widths.size()); ++i) {
                widths[i] = std::max(widths[i], textWidth(font, row[i]));
            }
        }
        return widths;
    }

    static double tableWidth(const std::vector<double>& widths)
    {
        return std::accumulate(widths.begin(), widths.end(), 0.0)
            + kColumnGap * static_cast<double>(widths.size() - 1);
    }

    void addRow(const std::vector<QString>& texts,
                const std::vector<Column>& columns,
                const std::vector<double>& widths,
                double size,
                bool isHead)
    {
        const double height = m_style.lineHeight(size);
        const QFont font = m_style.font(size, isHead ? QFont::DemiBold : QFont::Normal);
        Drawing drawing;
        double left = 0.0;
        for (std::size_t i = 0; i < std::min(texts.size(), widths.size()); ++i) {
            const double width = std::min(widths[i], m_width - left);
            const bool isText = columns[i].align == Align::left;
            drawing.write({left, 0.0, width, height},
                          texts[i],
                          font,
                          m_style.theme.text,
                          (isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            left += widths[i] + kColumnGap;
        }
        if (isHead) {
            const double right = std::min(left - kColumnGap, m_width);
            drawing.line({0.0, height}, {right, height}, QPen(m_style.theme.mutedText, 0.8));
        }
        PageItem item{.height = height + (isHead ? 3.0 : 0.0), .keepsNext = isHead};
        item.paint = [drawing, style = m_style](QPainter& painter, double top) {
            painter.save();
            painter.translate(0.0, top);
            drawing.paint(painter, style);
            painter.restore();
        };
        m_items.push_back(std::move(item));
    }

    const DrawnReport& m_drawn;
    double m_width;
    ChartStyle m_style;
    std::vector<PageItem> m_items;
};

// The height of the item and of all that must stay on the same page.
double heightTogether(const std::vector<PageItem>& items, std::size_t first)
{
    double height = items[first].height;
    for (std::size_t i = first; items[i].keepsNext && i + 1 < items.size(); ++i) {
        height += items[i + 1].height;
    }
    return height;
}

} // namespace

std::vector<PageItem> pageItems(const DrawnReport& drawn, double width, int textPixels)
{
    return ItemMaker(drawn, width, textPixels).items();
}

std::vector<std::vector<PlacedPageItem>> pagesOf(const std::vector<PageItem>& items, double height)
{
    std::vector<std::vector<PlacedPageItem>> pages(1);
    double top = 0.0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const PageItem& item = items[i];
        const double together = heightTogether(items, i);
        const double needed = together > height ? item.height : together;
        if ((item.beginsPage || top + needed > height) && !pages.back().empty()) {
            pages.emplace_back();
            top = 0.0;
        }
        if (!item.paint && pages.back().empty()) {
            continue; // a gap, or the break itself
        }
        if (item.paint) {
            pages.back().push_back({.item = &item, .top = top});
        }
        top += item.height;
    }
    if (pages.size() > 1 && pages.back().empty()) {
        pages.pop_back();
    }
    return pages;
}

} // namespace flopsmith::ui
