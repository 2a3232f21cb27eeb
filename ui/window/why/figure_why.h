// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/chart_mark.h"

#include <QObject>

namespace flopsmith {
struct Why;
}

namespace flopsmith::ui {

class ChartFeed;
class ChartPages;
class ChartPanel;
class Document;
class WhyCards;
struct Hotspot;

/// Opens a card for every figure of the charts that is clicked: how it comes about where it is one of
/// the scenario's, otherwise what the chart says of it, and on what all of it rests.
class FigureWhy : public QObject
{
public:
    FigureWhy(const Document& document, ChartPages& charts, WhyCards& cards);

private:
    void open(ChartPanel& panel, int hotspot, const ChartPlace& place, const QPoint& at);
    Why whyOf(ChartPanel& panel, const Hotspot& shown, int hotspot, const ChartPlace& place) const;

    const Document& m_document;
    const ChartFeed& m_feed;
    WhyCards& m_cards;
};

} // namespace flopsmith::ui
