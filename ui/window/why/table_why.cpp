// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/why/table_why.h"

#include "core/model/tree_path.h"
#include "core/why/part_why.h"
#include "ui/document/document.h"
#include "ui/tables/cost_page.h"
#include "ui/window/why/why_cards.h"

namespace flopsmith::ui {
namespace {

FigureKind kindOfColumn(const QString& column)
{
    if (column == QLatin1String("params")) {
        return FigureKind::parameters;
    }
    return column == QLatin1String("bytes") ? FigureKind::moved : FigureKind::flops;
}

} // namespace

TableWhy::TableWhy(const Document& document, const ChartFeed& feed, CostPage& page, WhyCards& cards)
    : QObject(&page)
    , m_document(document)
    , m_feed(feed)
    , m_page(page)
    , m_cards(cards)
{
    connect(&page, &CostPage::whyRequested, this, &TableWhy::open);
}

// The terms of a formula are no parts of the tree, and stand for the whole.
void TableWhy::open(const QString& path, const QString& column, const QRect& place)
{
    const WhySource source(m_document, m_feed);
    const std::string part = nearestPath(m_document.costTree(), path.toStdString());
    m_cards.open(
        whyOfPart({.kind = kindOfColumn(column), .path = part}, source.source(), source.device()),
        m_page,
        place);
}

} // namespace flopsmith::ui
