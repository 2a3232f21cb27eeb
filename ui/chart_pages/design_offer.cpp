// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/design_offer.h"

#include "core/study/variation/variation.h"

#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>

namespace flopsmith::ui {

DesignOffer::DesignOffer(Document& document, FigureView& view)
    : QObject(&view)
    , m_document(document)
    , m_view(view)
{
    view.installEventFilter(this);
}

bool DesignOffer::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonRelease) {
        const auto& mouse = static_cast<const QMouseEvent&>(*event);
        const bool isClick =
            mouse.button() == Qt::LeftButton && m_view.rect().contains(mouse.position().toPoint());
        return isClick && offer(m_view.hotspotAt(mouse.position()));
    }
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<const QKeyEvent&>(*event).key();
        return (key == Qt::Key_Return || key == Qt::Key_Enter) && offer(m_view.currentHotspot());
    }
    return QObject::eventFilter(watched, event);
}

bool DesignOffer::offer(int hotspot)
{
    const Figure* figure = m_view.figure();
    const auto design = figure != nullptr ? figure->design(hotspot) : std::nullopt;
    if (!design) {
        return false;
    }
    if (!design->refusal.isEmpty()) {
        m_document.refuse(design->refusal);
        return true;
    }
    const QString text = tr("Use %1").arg(design->title);
    auto* menu = new QMenu(&m_view);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("designOffer"));
    menu->setAccessibleName(design->title);
    QAction* use = menu->addAction(text, this, [this, design, text] { take(*design, text); });
    use->setObjectName(QStringLiteral("designOffer.use"));
    menu->setActiveAction(use); // Enter takes it
    menu->popup(m_view.mapToGlobal(m_view.anchorOf(hotspot).toPoint()));
    return true;
}

void DesignOffer::take(const HotspotDesign& design, const QString& text)
{
    const Scenario& scenario = m_document.scenario();
    const std::vector<Tie> ties = keyedTies(scenario, m_document.rules());
    const Result<Variation> variation = Variation::create(scenario, design.keys, ties);
    if (!variation) {
        m_document.refuse(QString::fromStdString(variation.error().message));
        return;
    }
    m_document.apply(text, [&](DocumentState& state) {
        state.scenario =
            ties.empty() ? variation->at(design.values) : variation->repairedAt(design.values);
    });
}

} // namespace flopsmith::ui

#include "moc_design_offer.cpp"
