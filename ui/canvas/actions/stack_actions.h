// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/actions/block_clipboard.h"
#include "ui/canvas/actions/mute_actions.h"
#include "ui/canvas/actions/pattern_actions.h"
#include "ui/canvas/entries/palette_entry.h"

#include <QObject>

#include <functional>
#include <vector>

QT_BEGIN_NAMESPACE
class QAction;
class QMenu;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Actions on the selected runs of blocks, for menus and keys. Each is enabled while it is possible.
class StackActions : public QObject
{
    Q_OBJECT

public:
    /// The shortcuts work in the window of `canvas`, Delete and those of muting only in the canvas
    /// itself.
    StackActions(Document& document, QWidget& canvas);

    QAction& insert() { return *m_insert; }
    QAction& insertInto() { return *m_insertInto; }
    QAction& replace() { return *m_replace; }
    QAction& duplicate() { return *m_duplicate; }
    QAction& split() { return *m_split; }
    QAction& join() { return *m_join; }
    QAction& remove() { return *m_remove; }
    QAction& moveUp() { return *m_moveUp; }
    QAction& moveDown() { return *m_moveDown; }

    /// Lets the selected blocks follow the arrow keys; the canvas connects it.
    QAction& pickUp() { return *m_pickUp; }
    QAction& muteFfn() { return m_mute->ffn(); }
    QAction& muteMixer() { return m_mute->mixer(); }
    QAction& muteCross() { return m_mute->cross(); }

    /// Opens the block into its operations; whoever shows them connects it.
    QAction& inside() { return *m_inside; }
    QAction& selectAll() { return *m_selectAll; }
    BlockClipboard& clipboard() { return *m_clipboard; }
    PatternActions& patterns() { return *m_patterns; }

    /// Adds all actions to a menu, with submenus for replacing and for stages.
    void fill(QMenu& menu);

Q_SIGNALS:
    /// A component is to be chosen: of a block behind the selected runs or inside their pattern, or
    /// for all of these.
    void insertionRequested();
    void insertionIntoRequested();
    void replacementRequested();

    /// A note on the selected part, or on the whole stack, is to be written.
    void noteRequested(bool onWholeStack);

    /// A text is to be typed that rows are found by; the next (1) or previous (−1) row is wanted.
    void findRequested();
    void findStepRequested(int by);

private:
    QAction* added(const QString& name, const QString& text, const QKeySequence& keys);
    void giveReasons();
    void connectActions();
    void updateEnabled();
    void addEntries(QMenu& menu, const QString& title, PaletteKind kind, Extent extent);
    void addReplacements(QMenu& menu);
    void addStageRemovals(QMenu& menu);
    void addCrossRemoval(QMenu& menu);
    void change(const QString& text, int (*edit)(Scenario&, int));
    void changeRuns(
        const QString& text,
        const std::function<std::vector<int>(Scenario&, const std::vector<int>&)>& edit);
    void move(const QString& text, int by);
    bool isOneRun() const;
    int run() const { return m_document.selection().run; }

    Document& m_document;
    QWidget& m_canvas;
    QAction* m_insert = nullptr;
    QAction* m_insertInto = nullptr;
    QAction* m_replace = nullptr;
    QAction* m_find = nullptr;
    QAction* m_findNext = nullptr;
    QAction* m_findPrevious = nullptr;
    QAction* m_duplicate = nullptr;
    QAction* m_split = nullptr;
    QAction* m_join = nullptr;
    QAction* m_remove = nullptr;
    QAction* m_moveUp = nullptr;
    QAction* m_moveDown = nullptr;
    QAction* m_pickUp = nullptr;
    MuteActions* m_mute = nullptr;
    QAction* m_inside = nullptr;
    QAction* m_selectAll = nullptr;
    QAction* m_note = nullptr;
    QAction* m_noteOnStack = nullptr;
    BlockClipboard* m_clipboard;
    PatternActions* m_patterns;
};

} // namespace flopsmith::ui
