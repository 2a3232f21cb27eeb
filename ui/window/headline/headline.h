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

/// Keeps the figures of the headline up to date with the document, its run times and the first
/// design beside it, as often as the charts; and opens a card for each that says why it is so.
class Headline : public QObject
{
    Q_OBJECT

public:
    Headline(const Document& document,
             const ChartFeed& feed,
             HeadlineStrip& strip,
             QObject* parent);

    void show();

    /// Opens the card of a figure at its tile.
    void openWhy(HeadlineKind kind);

    /// An action per figure that opens its card: "view.why.cache".
    const QList<QAction*>& actions() const { return m_actions; }

Q_SIGNALS:
    void shown();

    /// A card's link to the page that has more; the page as in sharedPages().
    void pageRequested(const QString& page);

private:
    void addAction(HeadlineKind kind, const QString& text);
    void showHardware();
    void follow(const QString& link);

    const Document& m_document;
    const ChartFeed& m_feed;
    HeadlineStrip& m_strip;
    QList<QAction*> m_actions;
    QString m_copied; ///< the text of the open card
};

} // namespace flopsmith::ui
