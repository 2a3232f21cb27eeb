// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/base/part_figure.h"

#include <QObject>
#include <QPointF>
#include <QRect>

#include <optional>

namespace flopsmith::ui {

class ChartFeed;
class Document;
class StackView;
class WhyCards;

/// Opens a card when the bar or the figure of a part of the stack is clicked: how its cost comes about.
/// The click selects as any other.
class StackWhy : public QObject
{
public:
    StackWhy(const Document& document, const ChartFeed& feed, StackView& stack, WhyCards& cards);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// A figure of the stack and where it stands in the viewport.
    struct Hit
    {
        PartFigure figure;
        QRect place;
    };
    std::optional<Hit> hitAt(const QPoint& place) const;

    const Document& m_document;
    const ChartFeed& m_feed;
    StackView& m_stack;
    WhyCards& m_cards;
    std::optional<QRect> m_pressed; ///< the figure on which a click began
};

} // namespace flopsmith::ui
