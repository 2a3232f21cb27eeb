// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/actions/stack_actions.h"
#include "ui/canvas/base/drop_light.h"
#include "ui/canvas/base/stack_margin.h"
#include "ui/canvas/base/stack_surface.h"
#include "ui/canvas/beside/beside_column.h"
#include "ui/canvas/drag/entry_drop.h"
#include "ui/canvas/drag/stack_drag.h"
#include "ui/canvas/entries/entry_chooser.h"
#include "ui/canvas/find/stack_find.h"
#include "ui/canvas/input/row_selection.h"
#include "ui/canvas/notes/stack_notes.h"
#include "ui/canvas/paint/stack_row_painter.h"
#include "ui/canvas/stack_scene.h"
#include "ui/canvas/zoom/stack_zoom.h"
#include "ui/document/document.h"
#include "ui/document/throttle.h"

namespace flopsmith::ui {

class GapPlus;
class Minimap;
class NoteColumn;
class StackInput;

/// The stack of blocks with the cost of each part as a bar. Rows are selected by mouse and arrow
/// keys, several of them with Ctrl, Shift or a rubber band; they accept entries of the palette, and
/// are moved by dragging or by keys.
class StackView : public StackSurface
{
    Q_OBJECT

public:
    explicit StackView(Document& document, QWidget* parent = nullptr);

    const StackLayout& stackLayout() const override { return m_layout; }
    const Selection& selection() const override { return m_document.selection(); }
    void refresh() override;
    bool layOut() override;
    void chooseRow(int row) override;
    void showRow(int row) override;

    StackActions& actionsOfStack() { return m_actions; }

    /// Asks what to insert behind the selected blocks, or beside the selected part.
    void addBlocks();
    StackZoom& zoom() { return m_zoom; }

    /// Whether bars and operations say what they cost; "?" where they do not.
    void setCostsShown(bool shown);

    /// Blocks that are picked up by the mouse or by keys.
    StackDrag& drag() { return m_drag; }

    /// Entries of the palette that are dragged here.
    EntryDrop& drops() { return m_drops; }

    /// The column with another design.
    BesideColumn& beside() { return m_beside; }

    /// Cards with the notes of the design.
    NoteColumn& notes() { return m_notes.column(); }

Q_SIGNALS:
    /// What the bars show, for the panel's corner.
    void noteChanged(const QString& note);

    /// Why the dragged entry cannot be dropped here; empty if it can.
    void dropRefused(const QString& sentence);

    /// Before the box for finding opens: whoever hides the stack shows it.
    void findStarts();

    /// What dropping the dragged blocks would do, or why they cannot be dropped here.
    void dragHintChanged(const QString& sentence);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void follow();
    void followSelection();
    void readDocument();
    void showSelection();
    void connectParts();
    void fillMargin();

    Document& m_document;
    GapPlus* m_plus = nullptr;
    StackInput* m_input = nullptr; ///< behind the others in use: their widgets send events already
    StackActions m_actions;
    StackZoom m_zoom;
    StackLayout m_layout;
    DropLight m_light;
    StackRowPainter m_rowPainter;
    StackFind m_find;
    StackMargin m_margin;
    Minimap* m_minimap;
    BesideColumn m_beside;
    StackNotes m_notes;
    EntryChooser m_chooser;
    RowSelection m_rows;
    bool m_showsCosts = true;
    bool m_isStale = false; ///< the document has changed while the stack was hidden
    DragFeedback m_feedback;
    StackDrag m_drag;
    EntryDrop m_drops;
    StackScene m_scene; ///< behind all that the view reads when it loses the scene
    Throttle m_update;
};

} // namespace flopsmith::ui
