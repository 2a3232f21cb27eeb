// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/designs/column_actions.h"

#include "ui/canvas/stack_view.h"

#include <QAction>
#include <QActionGroup>
#include <QSettings>

namespace flopsmith::ui {
namespace {

const QString kShown = QStringLiteral("column/shown");
const QString kLetter = QStringLiteral("column/letter");

} // namespace

ColumnActions::ColumnActions(Designs& designs, StackView& stack, QWidget& window)
    : QObject(&window)
    , m_designs(designs)
    , m_stack(stack)
    , m_shown(new QAction(tr("Show a frozen design beside the stack"), this))
    , m_group(new QActionGroup(this))
{
    m_shown->setObjectName(QStringLiteral("view.designs.column"));
    m_shown->setCheckable(true);
    m_shown->setShortcut(tr("Ctrl+Shift+A"));
    m_shown->setToolTip(
        tr("A second column on the canvas: what is added, removed and changed, side by side"));
    m_shown->setProperty("disabledReason", tr("No design stands beside the live one."));
    m_shown->setChecked(QSettings().value(kShown, false).toBool());
    window.addAction(m_shown); // so that the shortcut works while the menu is closed
    addLetters(window);
    connect(m_shown, &QAction::toggled, this, [this](bool on) {
        QSettings().setValue(kShown, on);
        update();
    });
    connect(m_group, &QActionGroup::triggered, this, [this](QAction* chosen) {
        QSettings().setValue(kLetter, chosen->data());
        m_shown->setChecked(true);
        update();
    });
    connect(&m_designs, &Designs::changed, this, &ColumnActions::update);
    update();
}

void ColumnActions::addLetters(QWidget& window)
{
    const QString last = QSettings().value(kLetter, QStringLiteral("A")).toString();
    for (std::size_t place = 0; place < m_letters.size(); ++place) {
        const QString letter(QChar::fromLatin1(designLetter(place)));
        auto* action = new QAction(tr("Show design %1 beside the stack").arg(letter), m_group);
        action->setObjectName(QStringLiteral("view.designs.column") + letter);
        action->setCheckable(true);
        action->setChecked(letter == last);
        action->setData(letter);
        action->setProperty("disabledReason",
                            tr("There is no design %1 beside the live one.").arg(letter));
        window.addAction(action);
        m_letters[place] = action;
    }
}

QList<QAction*> ColumnActions::all() const
{
    QList<QAction*> actions{m_shown};
    actions.append(m_group->actions());
    return actions;
}

// The chosen one; another as long as it is not there.
const FrozenDesign* ColumnActions::wanted() const
{
    if (m_designs.isEmpty() || !m_shown->isChecked()) {
        return nullptr;
    }
    for (std::size_t place = 0; place < m_letters.size(); ++place) {
        const FrozenDesign* design = m_designs.find(designLetter(place));
        if (m_letters[place]->isChecked() && design != nullptr) {
            return design;
        }
    }
    return &m_designs.at(0);
}

void ColumnActions::update()
{
    m_shown->setEnabled(!m_designs.isEmpty());
    for (std::size_t place = 0; place < m_letters.size(); ++place) {
        m_letters[place]->setEnabled(m_designs.find(designLetter(place)) != nullptr);
    }
    const FrozenDesign* design = wanted();
    if (design == nullptr) {
        m_stack.beside().show(std::nullopt);
        return;
    }
    m_stack.beside().show(BesideDesign{
        .name = QStringLiteral("%1 %2").arg(QChar::fromLatin1(design->letter), design->name()),
        .scenario = design->scenario});
}

} // namespace flopsmith::ui

#include "moc_column_actions.cpp"
