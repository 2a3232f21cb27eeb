// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/why/why_cards.h"

#include "core/present/time/measured_on.h"
#include "core/share/shared_page.h"
#include "core/why/why.h"
#include "ui/chart_pages/chart_feed.h"
#include "ui/formulas/why_sheet.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/explain/explainer.h"

#include <QClipboard>
#include <QDateTime>
#include <QGuiApplication>

namespace flopsmith::ui {

WhySource::WhySource(const Document& document, const ChartFeed& feed)
    : m_document(document)
    , m_feed(feed)
    , m_hardware(feed.hardware())
    , m_baseline(feed.baseline())
{}

HeadlineSource WhySource::source() const
{
    return {.scenario = m_document.scenario(),
            .tree = m_document.costTree(),
            .lens = m_document.lens(),
            .hardware = m_hardware ? &*m_hardware : nullptr,
            .parts = m_feed.runTimes().parts,
            .times = m_feed.runTimes().times,
            .baseline = m_baseline ? &*m_baseline : nullptr};
}

QString WhySource::baselineText() const
{
    return m_baseline ? WhyCards::tr("against %1").arg(fromUtf8(m_baseline->letter)) : QString();
}

std::string WhySource::device() const
{
    const RunTimes& run = m_feed.runTimes();
    return measuredOn(run.device.toStdString(),
                      run.processor.toStdString(),
                      run.times,
                      QDateTime::currentSecsSinceEpoch());
}

void WhyCards::open(const Why& why, const QWidget& beside, const QRect& place)
{
    m_copied = fromUtf8(whyText(why));
    QWidget& window = *beside.window();
    Explainer& card = Explainer::of(window);
    connect(&card, &Explainer::linkFollowed, this, &WhyCards::follow, Qt::UniqueConnection);
    card.open(whySheet(why, systemTheme()),
              QRect(beside.mapTo(&window, place.topLeft()), place.size()));
}

void WhyCards::follow(const QString& link)
{
    if (link == kCopyLink) {
        QGuiApplication::clipboard()->setText(m_copied);
    } else if (link.startsWith(kPageLink)) {
        const std::string view = link.mid(kPageLink.size()).toStdString();
        Q_EMIT pageRequested(fromUtf8(pageOfView(view)));
    }
}

} // namespace flopsmith::ui

#include "moc_why_cards.cpp"
