// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/escape_key.h"

#include "ui/widgets/message_bar.h"
#include "ui/widgets/values/value_box.h"

#include <QApplication>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QKeyEvent>
#include <QLineEdit>

namespace flopsmith::ui {
namespace {

// The line that a widget is or has; a value box restores its own.
QLineEdit* lineOf(QWidget& widget)
{
    if (qobject_cast<QSpinBox*>(&widget) != nullptr
        || qobject_cast<QDoubleSpinBox*>(&widget) != nullptr) {
        return widget.findChild<QLineEdit*>();
    }
    return qobject_cast<QLineEdit*>(&widget);
}

bool takesEscape(const QWidget& target)
{
    const QWidget* each = &target;
    while (each != nullptr && !each->property("takesEscape").toBool() && !each->isWindow()) {
        each = each->parentWidget();
    }
    return each != nullptr
        && (each->property("takesEscape").toBool()
            || qobject_cast<const QFileDialog*>(each) != nullptr);
}

MessageBar* messageOf(const QWidget& target)
{
    for (auto* bar : target.window()->findChildren<MessageBar*>()) {
        if (bar->isVisible() && bar->window() == target.window()) {
            return bar;
        }
    }
    return nullptr;
}

} // namespace

EscapeKey::EscapeKey(QObject* parent)
    : QObject(parent)
{
    qApp->installEventFilter(this);
}

bool EscapeKey::eventFilter(QObject* watched, QEvent* event)
{
    const bool isKey =
        event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if ((!isKey && event->type() != QEvent::FocusIn) || !watched->isWidgetType()) {
        return QObject::eventFilter(watched, event);
    }
    auto& target = *static_cast<QWidget*>(watched);
    if (!isKey || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape) {
        follow(target);
        return QObject::eventFilter(watched, event);
    }
    if (takesEscape(target)) {
        return QObject::eventFilter(watched, event);
    }
    if (event->type() == QEvent::ShortcutOverride && isTyped(target)) {
        event->accept(); // no shortcut acts in its place
        return true;
    }
    return (event->type() == QEvent::KeyPress && take(target))
        || QObject::eventFilter(watched, event);
}

// What stands in a line when it gets the focus, or is put there by the program, is no typing.
void EscapeKey::follow(QWidget& focused)
{
    QLineEdit* line = lineOf(focused);
    if (line == nullptr || line == m_line) {
        return;
    }
    if (m_line != nullptr) {
        m_line->disconnect(this);
    }
    m_line = line;
    m_before = line->text();
    connect(line, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (!m_line->isModified()) {
            m_before = text;
        }
    });
    connect(line, &QLineEdit::editingFinished, this, [this] { m_before = m_line->text(); });
}

bool EscapeKey::isTyped(QWidget& target) const
{
    return m_line != nullptr && lineOf(target) == m_line && m_line->text() != m_before
        && !m_line->isReadOnly();
}

// Whether nothing else gets the key.
bool EscapeKey::take(QWidget& target)
{
    const auto* box = qobject_cast<ValueBox*>(&target);
    if (box != nullptr && box->isTyped()) {
        return false;
    }
    if (isTyped(target)) {
        restore();
        return true;
    }
    MessageBar* message = messageOf(target);
    if (message != nullptr) {
        message->clear();
    }
    return message != nullptr;
}

// As a person would, so that whoever follows what is typed follows this, too.
void EscapeKey::restore()
{
    m_line->selectAll();
    m_line->insert(m_before);
    m_line->selectAll();
}

} // namespace flopsmith::ui

#include "moc_escape_key.cpp"
