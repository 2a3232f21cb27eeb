// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/headline/headline.h"

#include "core/present/time/measured_on.h"
#include "core/share/shared_page.h"
#include "core/why/why.h"
#include "ui/chart_pages/chart_feed.h"
#include "ui/formulas/why_sheet.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/explain/explainer.h"
#include "ui/window/headline/headline_strip.h"
#include "ui/window/headline/headline_tile.h"

#include <QAction>
#include <QClipboard>
#include <QDateTime>
#include <QGuiApplication>

namespace flopsmith::ui {
namespace {

/// What the headline is made of, for as long as the document and the feed stay as they are.
class Inputs
{
public:
    Inputs(const Document& document, const ChartFeed& feed)
        : m_document(document)
        , m_feed(feed)
        , m_hardware(feed.hardware())
        , m_baseline(feed.baseline())
    {}

    HeadlineSource source() const
    {
        return {.scenario = m_document.scenario(),
                .tree = m_document.costTree(),
                .lens = m_document.lens(),
                .hardware = m_hardware ? &*m_hardware : nullptr,
                .parts = m_feed.runTimes().parts,
                .times = m_feed.runTimes().times,
                .baseline = m_baseline ? &*m_baseline : nullptr};
    }

    QString baselineText() const
    {
        return m_baseline ? Headline::tr("against %1").arg(fromUtf8(m_baseline->letter))
                          : QString();
    }

private:
    const Document& m_document;
    const ChartFeed& m_feed;
    std::optional<Hardware> m_hardware;
    std::optional<ComparedDesign> m_baseline;
};

} // namespace

Headline::Headline(const Document& document,
                   const ChartFeed& feed,
                   HeadlineStrip& strip,
                   QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_feed(feed)
    , m_strip(strip)
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
    const Inputs inputs(m_document, m_feed);
    m_strip.setFigures(headline(inputs.source()), inputs.baselineText());
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
    const Inputs inputs(m_document, m_feed);
    const RunTimes& run = m_feed.runTimes();
    const Why why = whyOf(kind,
                          inputs.source(),
                          measuredOn(run.device.toStdString(),
                                     run.processor.toStdString(),
                                     run.times,
                                     QDateTime::currentSecsSinceEpoch()));
    m_copied = fromUtf8(whyText(why));
    QWidget& window = *m_strip.window();
    const QWidget& tile = m_strip.tile(kind);
    Explainer& card = Explainer::of(window);
    connect(&card, &Explainer::linkFollowed, this, &Headline::follow, Qt::UniqueConnection);
    card.open(whySheet(why, systemTheme()),
              tile.isVisible() ? QRect(tile.mapTo(&window, QPoint(0, 0)), tile.size())
                               : QRect(m_strip.mapTo(&window, QPoint(0, 0)), m_strip.size()));
}

void Headline::follow(const QString& link)
{
    if (link == kCopyLink) {
        QGuiApplication::clipboard()->setText(m_copied);
    } else if (link.startsWith(kPageLink)) {
        const std::string view = link.mid(kPageLink.size()).toStdString();
        Q_EMIT pageRequested(fromUtf8(pageOfView(view)));
    }
}

} // namespace flopsmith::ui

#include "moc_headline.cpp"
