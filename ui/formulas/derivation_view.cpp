// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formulas/derivation_view.h"

#include "ui/formulas/derivation_sheet.h"
#include "ui/formulas/live_sheet.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {

DerivationView::DerivationView(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_sheet(new LiveSheet(document, this))
    , m_back(button("back", tr("Back")))
    , m_next(button("next", tr("Next step")))
    , m_all(button("all", tr("All")))
    , m_place(new QLabel(this))
{
    setObjectName(QStringLiteral("formulas.derivation"));
    setAccessibleName(tr("Step-by-step derivation"));
    m_sheet->setObjectName(QStringLiteral("formulas.derivation.sheet"));
    m_sheet->setAccessibleName(tr("Steps"));
    m_sheet->installEventFilter(this);
    m_place->setObjectName(QStringLiteral("formulas.derivation.place"));
    m_place->setAccessibleName(tr("Which step"));
    m_place->setProperty("role", QStringLiteral("muted"));
    m_next->setProperty("primary", true);
    connect(m_back, &QPushButton::clicked, this, [this] { advance(-1); });
    connect(m_next, &QPushButton::clicked, this, [this] { advance(+1); });
    connect(m_all, &QPushButton::clicked, this, &DerivationView::showAll);
    addButtons();
}

QPushButton* DerivationView::button(const char* name, const QString& text)
{
    auto* made = new QPushButton(text, this);
    made->setObjectName(QStringLiteral("formulas.derivation.") + QLatin1String(name));
    made->setAccessibleName(tr("%1 of the derivation").arg(text));
    made->installEventFilter(this);
    return made;
}

void DerivationView::addButtons()
{
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_back);
    row->addWidget(m_next);
    row->addWidget(m_all);
    row->addStretch(1);
    row->addWidget(m_place);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    column->addWidget(m_sheet, 1);
    column->addLayout(row);
}

void DerivationView::refresh(const std::optional<QStringList>& keys)
{
    m_keys = keys;
    Result<Derivation> derived = derivationOf(m_document.scenario(), m_document.lens());
    m_problem = derived ? QString() : QString::fromStdString(derived.error().message);
    m_derivation = derived ? std::move(*derived) : Derivation{};
    showSteps();
}

bool DerivationView::advance(int by)
{
    const int now = std::min(m_shown, count());
    const int steps = std::clamp(now + by, std::min(1, count()), count());
    if (steps == now) {
        return false;
    }
    setShown(steps);
    return true;
}

void DerivationView::showAll()
{
    setShown(count());
}

// Scrolls to the step that was opened last.
void DerivationView::setShown(int steps)
{
    m_shown = steps;
    showSteps();
    m_sheet->verticalScrollBar()->setValue(m_sheet->verticalScrollBar()->maximum());
}

void DerivationView::showSteps()
{
    const Theme& theme = systemTheme();
    const int place = m_sheet->verticalScrollBar()->value();
    const int steps = std::min(std::max(m_shown, 1), count());
    const std::vector<MovableSymbol> symbols =
        movableSymbols(m_document.scenario(), symbolsOf(m_derivation), "", m_keys);
    m_sheet->showLive(m_problem.isEmpty()
                          ? derivationSheet(m_derivation, steps, theme, namesOf(symbols))
                          : QStringLiteral("<p style='color:%1'>%2</p>")
                                .arg(theme.mutedText.name(), m_problem.toHtmlEscaped()),
                      symbols);
    m_sheet->verticalScrollBar()->setValue(place);
    m_sheet->setAccessibleDescription(
        steps > 0 ? plainStep(m_derivation.steps.at(static_cast<std::size_t>(steps - 1)),
                              m_derivation.unit)
                  : m_problem);
    m_place->setText(steps > 0 ? tr("step %1 of %2").arg(steps).arg(count()) : QString());
    m_back->setEnabled(steps > 1);
    m_next->setEnabled(steps < count());
    m_all->setEnabled(steps < count());
}

// Of the sheet and the buttons, which would scroll and move the focus; a letter keeps its arrows.
bool DerivationView::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool steps = key->key() == Qt::Key_Right || key->key() == Qt::Key_Left;
        if (steps && key->modifiers() == Qt::NoModifier) {
            advance(key->key() == Qt::Key_Right ? +1 : -1);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace flopsmith::ui

#include "moc_derivation_view.cpp"
