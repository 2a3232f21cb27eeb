// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/values/parameter_editor.h"

#include <QApplication>

// The rules that constrain a parameter besides the person at its controls: ties, locks, and class
// locks.

namespace flopsmith::ui {

QString ParameterEditor::toolTip(const LegalValues& legal) const
{
    const QString help = fromUtf8(m_parameter.text.help);
    const QString tip = tr("%1\nLegal: %2\nShift+F1: what is this?")
                            .arg(help, QString::fromStdString(legal.text()));
    if (const Tie* follows = tie()) {
        return tr("%1\nTied to %2: untie it in the menu of this row (Shift+F10) to set it")
            .arg(tip, QString::fromStdString(shownExpression(*follows)));
    }
    if (const QString text = classText(); !text.isEmpty()) {
        return QStringLiteral("%1\n%2").arg(tip, text);
    }
    return isLocked() ? tr("%1\nLocked: unlock it in the menu of this row (Shift+F10)").arg(tip)
                      : tip;
}

const ClassLock* ParameterEditor::classLock() const
{
    return classLockOf(m_document.classLocks().isPreparing() ? m_document.classLocks().all()
                                                             : m_document.classLocks().held(),
                       m_parameter);
}

bool ParameterEditor::isFixedForClass() const
{
    return !allowsSetting(m_document.classLocks().held(), m_parameter);
}

bool ParameterEditor::hasPadlock() const
{
    return isLocked() || classLock() != nullptr;
}

QString ParameterEditor::classText() const
{
    const ClassLock* lock = classLock();
    return lock == nullptr ? QString() : QString::fromStdString(classLockText(*lock));
}

const ClassLock* ParameterEditor::classBounds() const
{
    const ClassLock* lock = classLockOf(m_document.classLocks().held(), m_parameter);
    return lock != nullptr && lock->kind == ClassLock::Kind::bounded ? lock : nullptr;
}

const Tie* ParameterEditor::tie() const
{
    return m_document.rules().tieOf(placeOf(m_document.scenario(), m_parameter));
}

bool ParameterEditor::isLocked() const
{
    return m_document.rules().lockOf(placeOf(m_document.scenario(), m_parameter)) != nullptr;
}

QIcon ParameterEditor::lockIcon() const
{
    const QColor muted = systemTheme().mutedText;
    return hasPadlock() ? themedIcon(QStringLiteral("lock"), muted) : QIcon();
}

} // namespace flopsmith::ui
