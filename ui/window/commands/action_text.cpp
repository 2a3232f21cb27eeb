// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands/action_text.h"

#include <QStringList>

namespace flopsmith::ui {

QString plainText(QString text)
{
    text.replace(QLatin1String("&&"), QLatin1String("\x01"));
    text.remove(QLatin1Char('&'));
    text.replace(QLatin1Char('\x01'), QLatin1Char('&'));
    return text.remove(QLatin1String(" …")).remove(QStringLiteral("…")).trimmed();
}

QString keysText(const QList<QKeySequence>& keys)
{
    QStringList texts;
    for (const QKeySequence& key : keys) {
        texts << key.toString(QKeySequence::NativeText);
    }
    texts.removeAll(QString());
    return texts.join(QLatin1String(", "));
}

} // namespace flopsmith::ui
