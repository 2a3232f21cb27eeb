// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>

QT_BEGIN_NAMESPACE
class QAction;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Actions on how large the stack is shown, for menus and keys. The canvas connects them.
class ZoomActions : public QObject
{
    Q_OBJECT

public:
    /// The shortcuts work in the window of `canvas`, those of one letter only in the canvas itself.
    explicit ZoomActions(QWidget& canvas);

    QAction& larger() { return *m_larger; }
    QAction& smaller() { return *m_smaller; }
    QAction& fit() { return *m_fit; }
    QAction& actualSize() { return *m_actualSize; }
    QAction& selection() { return *m_selection; }

    /// Shows or hides the overview of a tall stack.
    QAction& minimap() { return *m_minimap; }

    /// Shows or hides the notes beside the stack.
    QAction& notes() { return *m_notes; }
    const QAction& notes() const { return *m_notes; }

    QList<QAction*> all() const;

private:
    QAction* added(const QString& name, const QString& text, const QList<QKeySequence>& keys);

    QWidget& m_canvas;
    QAction* m_larger;
    QAction* m_smaller;
    QAction* m_fit;
    QAction* m_actualSize;
    QAction* m_selection;
    QAction* m_minimap;
    QAction* m_notes;
};

} // namespace flopsmith::ui
