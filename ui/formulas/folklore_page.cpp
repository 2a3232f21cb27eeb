// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formulas/folklore_page.h"

#include "ui/formulas/folklore_card.h"
#include "ui/theme/type_scale.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QTimer>

#include <utility>

namespace flopsmith::ui {
namespace {

constexpr int kReadableWidth = 860; // longer lines are hard to follow

} // namespace

FolklorePage::FolklorePage(const Document& /*document*/, QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("folklore"));
    setAccessibleName(tr("Figures that are printed wrong"));
    auto* column = new QWidget(this);
    column->setMaximumWidth(scaledToType(kReadableWidth, *this));
    column->setObjectName(QStringLiteral("folklore.cards"));
    column->setAccessibleName(accessibleName());
    auto* lead =
        new QLabel(tr("Figures that are often printed wrong. What is true is computed now, "
                      "by the same formulas that every other page shows."),
                   column);
    lead->setObjectName(QStringLiteral("folklore.lead"));
    lead->setAccessibleName(lead->text());
    lead->setProperty("role", QStringLiteral("muted"));
    lead->setWordWrap(true);
    m_waiting = new QLabel(tr("Computing …"), column);
    m_waiting->setObjectName(QStringLiteral("folklore.waiting"));
    m_waiting->setAccessibleName(m_waiting->text());
    m_waiting->setProperty("role", QStringLiteral("muted"));
    m_cards = new QVBoxLayout(column);
    m_cards->setContentsMargins(16, 16, 16, 16);
    m_cards->setSpacing(12);
    m_cards->addWidget(lead);
    m_cards->addWidget(m_waiting);
    m_cards->addStretch(1);

    auto* middle = new QWidget(this);
    middle->setObjectName(QStringLiteral("folklore.middle"));
    middle->setAccessibleName(accessibleName());
    auto* sides = new QHBoxLayout(middle);
    sides->setContentsMargins(0, 0, 0, 0);
    sides->addStretch(1);
    sides->addWidget(column, 100);
    sides->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("folklore.scroll"));
    scroll->setAccessibleName(accessibleName());
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(middle);
    scroll->viewport()->setAutoFillBackground(false);
    middle->setAutoFillBackground(false);
    auto* line = new QVBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(scroll);
}

void FolklorePage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (!m_isAsked) {
        m_isAsked = true;
        QTimer::singleShot(0, this, &FolklorePage::fill); // after the page has been painted
    }
}

void FolklorePage::fill()
{
    if (!isVisible()) {
        m_isAsked = false; // hidden meanwhile: fill when shown again
        return;
    }
    for (Folklore& each : folklore()) {
        auto* card = new FolkloreCard(std::move(each), this);
        setTypeBelow(*card, font());
        m_cards->insertWidget(m_cards->count() - 1, card);
    }
    m_waiting->hide();
    m_isFilled = true;
    Q_EMIT filled();
}

} // namespace flopsmith::ui

#include "moc_folklore_page.cpp"
