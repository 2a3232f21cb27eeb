// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/measure_offer.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QEvent>

#include <algorithm>

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
    view.installEventFilter(this);
    connect(&view, &FigureView::emptinessChanged, this, &MeasureOffer::showIfWanted);
}

void MeasureOffer::offerOn(const QString& device)
{
    m_device = device;
    setText(tr("Measure on %1").arg(device).replace(QLatin1Char('&'), QLatin1String("&&")));
    setAccessibleName(tr("Measure on %1").arg(device));
    showIfWanted();
}

void MeasureOffer::updateIcon()
{
    setIcon(themedIcon(QStringLiteral("measure"), systemTheme().onAccent));
}

bool MeasureOffer::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::FontChange) {
        place();
    }
    return QPushButton::eventFilter(watched, event);
}

void MeasureOffer::showIfWanted()
{
    setVisible(!m_device.isEmpty() && m_view.isEmpty());
    place();
}

// The sentence stands in the middle of the view.
void MeasureOffer::place()
{
    const QSize size = sizeHint().boundedTo(m_view.size());
    const int below = m_view.height() / 2 + kBelowSentence * m_view.fontMetrics().lineSpacing();
    setGeometry((m_view.width() - size.width()) / 2,
                std::min(below, m_view.height() - size.height()),
                size.width(),
                size.height());
}

} // namespace flopsmith::ui

#include "moc_measure_offer.cpp"
