// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/measure_offer.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QEvent>
#include <QVBoxLayout>

namespace flopsmith::ui {
namespace {

constexpr int kBelowSentence = 2; ///< lines of text

} // namespace

MeasureOffer::MeasureOffer(FigureView& view)
    : QPushButton(&view)
    , m_view(view)
{
    setObjectName(view.objectName() + QStringLiteral(".measure"));
    setProperty("primary", true);
    setProperty("large", true);
    setCursor(Qt::PointingHandCursor);
    updateIcon();
    offerOn({});
    auto* below = new QVBoxLayout; // the sentence stands in the middle of the view
    below->addSpacing(kBelowSentence * view.fontMetrics().lineSpacing());
    below->addWidget(this, 0, Qt::AlignHCenter);
    below->addStretch(1);
    auto* halves = new QVBoxLayout(&view);
    halves->setContentsMargins({});
    halves->addStretch(1);
    halves->addLayout(below, 1);
    view.installEventFilter(this);
    connect(&view, &FigureView::emptinessChanged, this, &MeasureOffer::showIfWanted);
}

void MeasureOffer::offerOn(const QString& device)
{
    m_device = device;
    setAccessibleName(tr("Measure on %1").arg(device));
    showIfWanted();
}

bool MeasureOffer::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::FontChange) {
        fitText();
    }
    return QPushButton::eventFilter(watched, event);
}

void MeasureOffer::changeEvent(QEvent* event)
{
    QPushButton::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        fitText();
    }
}

void MeasureOffer::fitText()
{
    const auto widthOf = [this](const QString& text) {
        return fontMetrics().size(Qt::TextShowMnemonic, text).width();
    };
    const QString whole =
        tr("Measure on %1").arg(m_device).replace(QLatin1Char('&'), QLatin1String("&&"));
    const int around = sizeHint().width() - widthOf(text());
    setText(around + widthOf(whole) <= m_view.width() ? whole : tr("Measure"));
}

void MeasureOffer::updateIcon()
{
    setIcon(themedIcon(QStringLiteral("measure"), systemTheme().onAccent));
}

void MeasureOffer::showIfWanted()
{
    fitText();
    setVisible(!m_device.isEmpty() && m_view.isEmpty());
}

} // namespace flopsmith::ui

#include "moc_measure_offer.cpp"
