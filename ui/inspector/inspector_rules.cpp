// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/edits/rule_edit.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/tie_line.h"
#include "ui/widgets/class_locks/class_lock_menu.h"
#include "ui/widgets/explain/explainer.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QLayout>
#include <QMenu>
#include <QShortcut>

#include <algorithm>

// The menu of a parameter's row, by which it is tied or locked.

namespace flopsmith::ui {

void Inspector::buildRowMenu()
{
    m_tieLine = new TieLine(m_document, this);
    layout()->addWidget(m_tieLine);
    connect(m_tieLine, &TieLine::finished, this, [this](const Parameter& parameter) {
        if (QWidget* box = boxOf(parameter)) {
            box->setFocus(Qt::OtherFocusReason);
        }
    });
    for (const QKeySequence& keys :
         {QKeySequence(Qt::SHIFT | Qt::Key_F10), QKeySequence(Qt::Key_Menu)}) {
        auto* shortcut = new QShortcut(keys, this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, &Inspector::openMenuOfFocus);
    }
}

// The names of a row's controls begin with its parameter's.
ParameterEditor* Inspector::editorOf(const QWidget* control) const
{
    for (; control != nullptr && control != this; control = control->parentWidget()) {
        const QString name = control->objectName().section(QLatin1Char('.'), 1, -2);
        const auto found =
            std::find_if(m_editors.begin(), m_editors.end(), [&name](const ParameterEditor* e) {
                return !name.isEmpty() && keyInBlock(e->parameter()) == name;
            });
        if (found != m_editors.end()) {
            return *found;
        }
    }
    return nullptr;
}

// The control of the parameter that can always have the focus.
QWidget* Inspector::boxOf(const Parameter& parameter) const
{
    for (const char* control : {"box", "combo", "check"}) {
        auto* found = findChild<QWidget*>(
            QStringLiteral("inspector.%1.%2").arg(keyInBlock(parameter), QLatin1String(control)));
        if (found != nullptr) {
            return found;
        }
    }
    return nullptr;
}

void Inspector::openMenuOfFocus()
{
    const QWidget* focused = QApplication::focusWidget();
    if (ParameterEditor* editor = editorOf(focused)) {
        openRowMenu(*editor, focused->mapToGlobal(QPoint(0, focused->height())));
    }
}

void Inspector::contextMenuEvent(QContextMenuEvent* event)
{
    ParameterEditor* editor = editorOf(childAt(event->pos()));
    event->setAccepted(editor != nullptr);
    if (editor != nullptr) {
        openRowMenu(*editor, event->globalPos());
    }
}

void Inspector::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_scope != nullptr) {
        refresh(); // icons have the theme's colour
    }
}

// A new range begins as the currently legal one.
void Inspector::addClassActions(QMenu& menu, const Parameter& parameter)
{
    using Kind = ClassLock::Kind;
    const std::string key = classLockKey(parameter);
    const Scenario& scenario = m_document.scenario();
    if (editorKind(parameter.value(scenario)) == EditorKind::slider) {
        const LegalValues legal = parameter.legal(scenario);
        addClassLockActions(menu,
                            m_document,
                            key,
                            {Kind::hidden, Kind::fixed, Kind::bounded},
                            *this,
                            legal.low(),
                            legal.high());
    } else {
        addClassLockActions(menu, m_document, key, {Kind::hidden, Kind::fixed}, *this);
    }
}

void Inspector::openRowMenu(ParameterEditor& editor, const QPoint& globalPlace)
{
    const Parameter parameter = editor.parameter();
    const ParameterPlace place = placeOf(m_document.scenario(), parameter);
    const bool tied = m_document.rules().tieOf(place) != nullptr;
    const bool locked = m_document.rules().lockOf(place) != nullptr;
    const bool number = editorKind(parameter.value(m_document.scenario())) == EditorKind::slider;
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("inspector.rowMenu"));
    menu->setAccessibleName(tr("What to do with the parameter"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [menu, this](const char* name, const QString& text, auto run) {
        QAction* action = menu->addAction(text, this, run);
        action->setObjectName(QStringLiteral("inspector.rowMenu.") + QLatin1String(name));
    };
    if (number && !locked) {
        add("tie", tied ? tr("Change the &tie…") : tr("&Tie to…"), [this, parameter] {
            m_tieLine->open(parameter);
        });
    }
    if (tied || locked) {
        add(tied ? "untie" : "unlock", tied ? tr("&Untie") : tr("&Unlock"), [this, parameter] {
            freeParameter(m_document, parameter);
        });
    } else {
        add("lock", tr("&Lock"), [this, parameter] {
            if (const Status done = lockParameter(m_document, parameter); !done) {
                m_document.refuse(QString::fromStdString(done.error().message));
            }
        });
    }
    addClassActions(*menu, parameter);
    menu->addSeparator();
    add("whatIs", tr("&What is this?"), [this, parameter] {
        if (QWidget* box = boxOf(parameter)) {
            Explainer::openFor(*box);
        }
    });
    menu->popup(globalPlace);
}

} // namespace flopsmith::ui
