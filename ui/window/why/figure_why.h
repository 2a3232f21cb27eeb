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
struct Label;

/// Opens a card for every figure of the charts that is clicked: how it comes about where it is one of
/// the scenario's, otherwise what the chart says of it, and on what all of it rests. A tick of an axis
/// has a card too: what is drawn along the axis, and what the chart has at this value.
class FigureWhy : public QObject
{
public:
    FigureWhy(const Document& document, ChartPages& charts, WhyCards& cards);

    /// The same for a chart that is not one of the pages'.
    void answer(ChartPanel& panel);

private:
    void open(ChartPanel& panel, int hotspot, const ChartPlace& place, const QPoint& at);
    void openTick(ChartPanel& panel, const Label& text);
    Why whyOf(ChartPanel& panel, const Hotspot& shown, int hotspot, const ChartPlace& place) const;

    const Document& m_document;
    const ChartFeed& m_feed;
    WhyCards& m_cards;
};

} // namespace flopsmith::ui
