// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <QList>
#include <QObject>

QT_BEGIN_NAMESPACE
class QAction;
class QKeySequence;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Groups the selected runs of blocks, takes groups apart, changes how often the selected pattern
/// comes or the selected run is repeated, and asks which blocks become what. Each action is enabled while it is possible.
class PatternActions : public QObject
{
    Q_OBJECT

public:
    /// More and fewer repeats have their keys in the canvas alone, where nothing is typed.
    PatternActions(Document& document, QWidget& canvas);

    QAction& group() { return *m_group; }
    QAction& ungroup() { return *m_ungroup; }
    QAction& more() { return *m_more; }
    QAction& fewer() { return *m_fewer; }
    QAction& everyNth() { return *m_everyNth; }
    QAction& repeat() { return *m_repeat; }

    /// All of them, in the order of a menu.
    QList<QAction*> actions() const
    {
        return {m_everyNth, m_repeat, m_group, m_ungroup, m_more, m_fewer};
    }

    /// Lets the pattern come more or less often, as one undo step; at least once.
    void changeTimes(int pattern, int by);

Q_SIGNALS:
    /// An edit of many blocks is to be typed, which begins so: "every 4th ".
    void phraseRequested(const QString& beginning);

private:
    QAction* added(const QString& name, const QString& text, const QKeySequence& keys);
    void updateEnabled();
    void groupSelected();
    void ungroupSelected();
    void changeSelected(int by);
    int selectedPattern() const;
    int selectedTimes() const;

    Document& m_document;
    QWidget& m_canvas;
    QAction* m_group = nullptr;
    QAction* m_ungroup = nullptr;
    QAction* m_more = nullptr;
    QAction* m_fewer = nullptr;
    QAction* m_everyNth = nullptr;
    QAction* m_repeat = nullptr;
};

} // namespace flopsmith::ui
