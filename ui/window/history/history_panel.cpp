// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/history/history_panel.h"

#include "ui/document/document.h"
#include "ui/theme/type_scale.h"
#include "ui/window/history/history_delegate.h"
#include "ui/window/history/history_model.h"

#include <QAction>
#include <QKeyEvent>
#include <QKeySequence>
#include <QListView>
#include <QPushButton>
#include <QVBoxLayout>

#include <optional>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr int kNarrowestHistory = 210; ///< "+1 234 GFLOPs · +100.0 %" beside its mark

} // namespace

HistoryPanel::HistoryPanel(Document& document, QWidget* parent)
    : Panel(QStringLiteral("history"), tr("History"), parent)
    , m_document(document)
    , m_model(new HistoryModel(document, this))
    , m_list(new QListView(this))
    , m_discarded(new QPushButton(this))
{
    setMinimumWidth(scaledToType(kNarrowestHistory, *this));
    m_list->setObjectName(QStringLiteral("window.history"));
    m_list->setAccessibleName(tr("Steps of the model and what each changed"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setProperty("flush", true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setEditTriggers(QAbstractItemView::EditKeyPressed); // the name of a bookmark
    m_list->setUniformItemSizes(true);
    m_list->setMouseTracking(true);
    m_list->setItemDelegate(new HistoryDelegate(m_list));
    m_list->setModel(m_model);
    auto* body = new QWidget(this);
    body->setObjectName(QStringLiteral("history.body"));
    body->setAccessibleName(tr("History"));
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins({});
    column->addWidget(m_list);
    column->addWidget(m_discarded);
    setBody(body);
    setFocusProxy(m_list);
    m_list->installEventFilter(this);
    connect(m_list, &QListView::clicked, this, &HistoryPanel::jump);
    connect(m_list, &QListView::activated, this, &HistoryPanel::jump);
    connect(m_model, &HistoryModel::refreshed, this, &HistoryPanel::showCurrent);
    addBookmarkActions();
    addDiscarded();
}

QAction* HistoryPanel::addedAction(const QString& name,
                                   const QString& title,
                                   const QKeySequence& keys)
{
    auto* action = new QAction(title, this);
    action->setObjectName(QStringLiteral("history.") + name);
    action->setShortcut(keys);
    return action;
}

void HistoryPanel::addBookmarkActions()
{
    m_bookmark = addedAction(
        QStringLiteral("bookmark"), tr("Bookmark this step"), QKeySequence(tr("Ctrl+Shift+B")));
    m_bookmark->setCheckable(true);
    m_bookmark->setToolTip(tr("A bookmark lasts as long as the history does: neither is saved with "
                              "the file. F2 in the history names it."));
    m_next = addedAction(
        QStringLiteral("nextBookmark"), tr("Next bookmark"), QKeySequence(tr("Ctrl+Shift+PgDown")));
    m_previous = addedAction(QStringLiteral("previousBookmark"),
                             tr("Previous bookmark"),
                             QKeySequence(tr("Ctrl+Shift+PgUp")));
    m_next->setProperty("disabledReason", tr("No later step has a bookmark."));
    m_previous->setProperty("disabledReason", tr("No earlier step has a bookmark."));
    connect(m_bookmark, &QAction::triggered, this, &HistoryPanel::toggleBookmark);
    for (const auto& [action, by] : {std::pair(m_next, 1), std::pair(m_previous, -1)}) {
        connect(action, &QAction::triggered, this, [this, step = by] {
            QUndoStack& steps = m_document.undoStack();
            if (const int state = bookmarkFrom(steps.index(), step); state >= 0) {
                steps.setIndex(state);
            }
        });
    }
    connect(&m_document.history(),
            &EditHistory::bookmarksChanged,
            this,
            &HistoryPanel::updateBookmarks);
    connect(
        &m_document.undoStack(), &QUndoStack::indexChanged, this, &HistoryPanel::updateBookmarks);
    updateBookmarks();
}

void HistoryPanel::addDiscarded()
{
    m_restore = addedAction(QStringLiteral("restoreDiscarded"),
                            tr("Restore discarded edits"),
                            QKeySequence(tr("Ctrl+Alt+Z")));
    m_restore->setProperty("disabledReason", tr("No edit after an undo has discarded any."));
    m_discarded->setObjectName(QStringLiteral("window.discarded"));
    m_discarded->setToolTip(tr("Undoes what was done instead, which then stands here"));
    connect(m_restore, &QAction::triggered, &m_document.history(), &EditHistory::restoreDiscarded);
    connect(m_discarded, &QPushButton::clicked, m_restore, &QAction::trigger);
    connect(&m_document.history(),
            &EditHistory::discardedChanged,
            this,
            &HistoryPanel::updateDiscarded);
    updateDiscarded();
}

void HistoryPanel::updateDiscarded()
{
    const int steps = m_document.history().discardedSteps();
    m_restore->setEnabled(steps > 0);
    m_discarded->setVisible(steps > 0);
    m_discarded->setText(tr("Discarded edits (%1)").arg(steps));
    m_discarded->setAccessibleName(tr("Restore %1 discarded edits").arg(steps));
}

void HistoryPanel::updateBookmarks()
{
    const int now = m_document.undoStack().index();
    m_bookmark->setChecked(m_document.history().bookmark(now).has_value());
    m_next->setEnabled(bookmarkFrom(now, 1) >= 0);
    m_previous->setEnabled(bookmarkFrom(now, -1) >= 0);
}

void HistoryPanel::toggleBookmark()
{
    EditHistory& history = m_document.history();
    const int now = history.undoStack().index();
    if (const std::optional<QString> name = history.bookmark(now)) {
        history.removeBookmark(now);
        const bool isStep = history.undoStack().index() > now;
        m_document.tellRemoved(
            tr("The bookmark was removed."),
            isStep ? std::function<void()>()
                   : [&history, now, name] { history.setBookmark(now, name); });
    } else {
        history.setBookmark(now, QString());
    }
    updateBookmarks(); // a click has checked the action already
}

// The nearest state in a direction that has a bookmark, or -1.
int HistoryPanel::bookmarkFrom(int state, int by) const
{
    const int count = m_document.undoStack().count();
    for (int at = state + by; at >= 0 && at <= count; at += by) {
        if (m_document.history().bookmark(at)) {
            return at;
        }
    }
    return -1;
}

// F2 renames the model, but where a bookmark can be named it does that.
bool HistoryPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_F2
        && m_list->currentIndex().flags().testFlag(Qt::ItemIsEditable)) {
        event->accept();
        return true;
    }
    return Panel::eventFilter(watched, event);
}

void HistoryPanel::jump(const QModelIndex& row)
{
    m_document.undoStack().setIndex(row.row());
}

void HistoryPanel::showCurrent()
{
    const QModelIndex current = m_model->index(m_document.undoStack().index());
    if (m_list->currentIndex() != current) {
        m_list->setCurrentIndex(current);
        m_list->scrollTo(current);
    }
}

void HistoryPanel::showEvent(QShowEvent* event)
{
    Panel::showEvent(event);
    m_model->setOpen(true);
}

void HistoryPanel::hideEvent(QHideEvent* event)
{
    m_model->setOpen(false);
    Panel::hideEvent(event);
}

} // namespace flopsmith::ui

#include "moc_history_panel.cpp"
