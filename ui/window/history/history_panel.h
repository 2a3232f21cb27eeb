// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/panel.h"

#include <QList>

QT_BEGIN_NAMESPACE
class QAction;
class QListView;
class QModelIndex;
class QPushButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

class Document;
class HistoryModel;

/// The list of undo steps and what each changed, newest at the bottom. A click or Return jumps to
/// a step. Reads the document only while it is visible.
class HistoryPanel : public Panel
{
    Q_OBJECT

public:
    explicit HistoryPanel(Document& document, QWidget* parent = nullptr);

    /// Set or remove a bookmark at the state now; go to the next or the previous one; restore the
    /// edits that the last one after an undo has discarded.
    QList<QAction*> stepActions() const { return {m_bookmark, m_next, m_previous, m_restore}; }

    bool eventFilter(QObject* watched, QEvent* event) override;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QAction* addedAction(const QString& name, const QString& title, const QKeySequence& keys);
    void addBookmarkActions();
    void updateBookmarks();
    void addDiscarded();
    void updateDiscarded();
    void toggleBookmark();
    int bookmarkFrom(int state, int by) const;
    void jump(const QModelIndex& row);
    void showCurrent();

    Document& m_document;
    HistoryModel* m_model;
    QListView* m_list;
    QAction* m_bookmark = nullptr;
    QAction* m_next = nullptr;
    QAction* m_previous = nullptr;
    QAction* m_restore = nullptr;
    QPushButton* m_discarded;
};

} // namespace flopsmith::ui
