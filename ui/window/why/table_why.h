// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

QT_BEGIN_NAMESPACE
class QRect;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ChartFeed;
class CostPage;
class Document;
class WhyCards;

/// Opens a card for a figure of the cost table: FLOPs, parameters or bytes moved of the row's part.
class TableWhy : public QObject
{
public:
    TableWhy(const Document& document, const ChartFeed& feed, CostPage& page, WhyCards& cards);

private:
    void open(const QString& path, const QString& column, const QRect& place);

    const Document& m_document;
    const ChartFeed& m_feed;
    CostPage& m_page;
    WhyCards& m_cards;
};

} // namespace flopsmith::ui
