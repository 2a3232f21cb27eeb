// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>

QT_BEGIN_NAMESPACE
class QMenu;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// F6 and Shift+F6 move the focus to the next or previous part of the window, to its last focused
/// widget.
class PanelKeys : public QObject
{
    Q_OBJECT

public:
    PanelKeys(QWidget& window, const QList<QWidget*>& parts);

    void fill(QMenu& menu);

    /// Moves forward (1) or back (−1); skips parts that are hidden or have nothing to focus.
    void move(int by);

private:
    void saveFocus(QWidget* focused);
    int partOf(const QWidget* widget) const;

    QWidget& m_window;
    QList<QWidget*> m_parts;
    QList<QPointer<QWidget>> m_last;
};

} // namespace flopsmith::ui
