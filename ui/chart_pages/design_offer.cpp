// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/design_offer.h"

#include "core/study/variation.h"

#include <QMenu>

namespace flopsmith::ui {

DesignOffer::DesignOffer(Document& document, FigureView& view)
    : QObject(&view)
    , m_document(document)
    , m_view(view)
{
    connect(&view, &FigureView::designChosen, this, &DesignOffer::offer);
}

void DesignOffer::offer(int spot, const QPoint& place)
{
    const Figure* figure = m_view.figure();
    const auto design = figure != nullptr ? figure->design(spot) : std::nullopt;
    if (!design) {
        return;
    }
    if (!design->refusal.isEmpty()) {
        m_document.refuse(design->refusal);
        return;
    }
    const QString text = tr("Use %1").arg(design->title);
    auto* menu = new QMenu(&m_view);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("designOffer"));
    menu->setAccessibleName(design->title);
    QAction* use = menu->addAction(text, this, [this, design, text] { take(*design, text); });
    use->setObjectName(QStringLiteral("designOffer.use"));
    menu->setActiveAction(use); // Enter takes it
    menu->popup(place);
}

void DesignOffer::take(const SpotDesign& design, const QString& text)
{
    const Result<Variation> variation = Variation::create(m_document.scenario(), design.keys);
    if (!variation) {
        m_document.refuse(QString::fromStdString(variation.error().message));
        return;
    }
    m_document.apply(text,
                     [&](DocumentState& state) { state.scenario = variation->at(design.values); });
}

} // namespace flopsmith::ui
