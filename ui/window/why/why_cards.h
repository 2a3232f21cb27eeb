// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/headline/headline.h"

#include <QObject>
#include <QRect>

#include <optional>
#include <string>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace flopsmith {
struct Why;
}

namespace flopsmith::ui {

class ChartFeed;
class Document;

/// What the headline and all cards are made of, for as long as document and feed stay as they are.
class WhySource
{
public:
    WhySource(const Document& document, const ChartFeed& feed);

    HeadlineSource source() const;

    /// "against A"; empty without a design to compare with.
    QString baselineText() const;

    /// The device that measured, with the date: "this CPU, 2026-11-21".
    std::string device() const;

private:
    const Document& m_document;
    const ChartFeed& m_feed;
    std::optional<Hardware> m_hardware;
    std::optional<ComparedDesign> m_baseline;
};

/// Opens cards that say how a figure comes about, beside the figure, and follows their links.
class WhyCards : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// `place` is in coordinates of `beside`, whose window shows the card.
    void open(const Why& why, const QWidget& beside, const QRect& place);

Q_SIGNALS:
    /// A card's link to the page that has more; the page as in sharedPages().
    void pageRequested(const QString& page);

private:
    void follow(const QString& link);

    QString m_copied; ///< the text of the open card
};

} // namespace flopsmith::ui
