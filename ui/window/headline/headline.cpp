// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/headline/headline.h"

#include "core/why/why.h"
#include "ui/chart_pages/chart_feed.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/chip.h"
#include "ui/window/headline/headline_strip.h"
#include "ui/window/headline/headline_tile.h"
#include "ui/window/why/why_cards.h"

#include <QAction>

namespace flopsmith::ui {

Headline::Headline(const Document& document,
                   const ChartFeed& feed,
                   HeadlineStrip& strip,
                   WhyCards& cards,
                   QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_feed(feed)
    , m_strip(strip)
    , m_cards(cards)
{
    addAction(HeadlineKind::cost, tr("Why: &cost"));
    addAction(HeadlineKind::parameters, tr("Why: &parameters"));
    addAction(HeadlineKind::memory, tr("Why: cac&he, memory"));
    addAction(HeadlineKind::leastTime, tr("Why: &least possible time"));
    addAction(HeadlineKind::measuredTime, tr("Why: &measured time"));
    connect(&feed, &ChartFeed::updated, this, &Headline::show);
    connect(&strip, &HeadlineStrip::whyRequested, this, &Headline::openWhy);
}

void Headline::addAction(HeadlineKind kind, const QString& text)
{
    auto* action = new QAction(text, this);
    action->setObjectName(QStringLiteral("view.why.") + fromUtf8(enumName(kind)));
    connect(action, &QAction::triggered, this, [this, kind] { openWhy(kind); });
    m_actions << action;
}

void Headline::show()
{
    const WhySource source(m_document, m_feed);
    m_strip.setFigures(headline(source.source()), source.baselineText());
    showHardware();
    Q_EMIT shown();
}

void Headline::showHardware()
{
    const std::optional<Hardware> hardware = m_feed.hardware();
    ChoiceChip& chip = m_strip.hardwareChip();
    chip.setValue(hardware ? fromUtf8(shortName(*hardware)) : m_feed.hardwareName());
    chip.setToolTip(m_feed.hardwareName());
}

void Headline::openWhy(HeadlineKind kind)
{
    const WhySource source(m_document, m_feed);
    const QWidget& tile = m_strip.tile(kind);
    const QWidget& beside = tile.isVisible() ? tile : m_strip;
    m_cards.open(whyOf(kind, source.source(), source.device()), beside, beside.rect());
}

} // namespace flopsmith::ui

#include "moc_headline.cpp"
