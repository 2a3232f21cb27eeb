// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>

QT_BEGIN_NAMESPACE
class QLineEdit;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// What Esc does first in every window of the program: it restores what stood in a line before the
/// typing, else it closes the message of the window. Each press does one of them; what neither needs
/// goes to the widget with the focus. Widgets that Esc closes, and those in a gesture that it cancels,
/// have the property "takesEscape" and get the key at once.
class EscapeKey : public QObject
{
    Q_OBJECT

public:
    explicit EscapeKey(QObject* parent);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow(QWidget& focused);
    bool isTyped(QWidget& target) const;
    bool take(QWidget& target);
    void restore();

    QPointer<QLineEdit> m_line; ///< that was typed in last
    QString m_before; ///< what stood in it then
};

} // namespace flopsmith::ui
