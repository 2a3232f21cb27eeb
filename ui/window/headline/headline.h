// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/headline/headline.h"

#include <QList>
#include <QObject>

QT_BEGIN_NAMESPACE
class QAction;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ChartFeed;
class Document;
class HeadlineStrip;
class WhyCards;

/// Keeps the figures of the headline up to date with the document, its run times and the first
/// design beside it, as often as the charts; and opens a card for each that says why it is so.
class Headline : public QObject
{
    Q_OBJECT

public:
    Headline(const Document& document,
             const ChartFeed& feed,
             HeadlineStrip& strip,
             WhyCards& cards,
             QObject* parent);

    void show();

    /// Opens the card of a figure at its tile.
    void openWhy(HeadlineKind kind);

    /// An action per figure that opens its card: "view.why.cache".
    const QList<QAction*>& actions() const { return m_actions; }

Q_SIGNALS:
    void shown();

private:
    void addAction(HeadlineKind kind, const QString& text);
    void showHardware();

    const Document& m_document;
    const ChartFeed& m_feed;
    HeadlineStrip& m_strip;
    WhyCards& m_cards;
    QList<QAction*> m_actions;
};

} // namespace flopsmith::ui
