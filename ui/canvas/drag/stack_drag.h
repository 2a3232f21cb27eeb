// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/stack/landing.h"
#include "ui/canvas/drag/block_ghost.h"
#include "ui/canvas/drag/drag_painter.h"
#include "ui/canvas/drag/edge_scroller.h"
#include "ui/canvas/drag/landing_gap.h"
#include "ui/canvas/entries/palette_entry.h"
#include "ui/document/block_move.h"

#include <QPoint>

#include <optional>
#include <vector>

QT_BEGIN_NAMESPACE
class QKeyEvent;
QT_END_NAMESPACE

namespace flopsmith::ui {

class DragOverlay;
class StackView;

/// Blocks that are picked up in the stack, by the mouse or by the keyboard: where they would land,
/// what is painted meanwhile, and the drop, which is one undo step. Nothing changes before it.
class StackDrag : public QObject
{
    Q_OBJECT

public:
    StackDrag(Document& document, StackView& view);

    bool isActive() const { return m_move.has_value(); }
    bool isByKeys() const { return isActive() && m_byKeys; }

    /// Picks up the blocks at a place of the viewport: all selected ones if they are among them.
    /// Nothing happens where there are none.
    void grab(const QPoint& place, Qt::KeyboardModifiers modifiers);

    /// The pointer has moved: Alt duplicates, Ctrl copies the FFN, Shift takes one block only.
    void follow(const QPoint& place, Qt::KeyboardModifiers modifiers);
    void drop(const QPoint& place, Qt::KeyboardModifiers modifiers);

    /// Picks up the selected blocks, which then follow the arrow keys.
    void pickUp();

    /// A key is pressed or released during the gesture.
    void press(const QKeyEvent& event);
    void release(const QKeyEvent& event);

    /// Ends the gesture; nothing has changed.
    void cancel();

    /// An entry of the palette is held over the stack: rows that cannot take it are faint, between
    /// rows, and with Alt inside them, a gap opens for a block with it, and the stack scrolls at its
    /// edges.
    void carry(const PaletteEntry& entry, const QPoint& place, Qt::KeyboardModifiers modifiers);

    /// The entry was dropped, or has left the stack.
    void letGo();

    /// Paints a row of the stack around the open gap, faint if it is picked up or no place to land.
    void paintParted(QPainter& painter,
                     int row,
                     const QRectF& place,
                     const std::function<void()>& paint) const;

    /// How far below its place a row may be painted.
    double mostShift() const { return isIdle() ? 0.0 : LandingGap::kMaxShift; }

    /// The gap into which an entry at a place of the viewport would be inserted as a block of its own;
    /// none where it would go into a row. A key that was let go counts until the pointer moves on,
    /// because fingers do not leave a key and a button at once.
    std::optional<int> gapFor(const PaletteEntry& entry,
                              const QPoint& place,
                              Qt::KeyboardModifiers modifiers) const;

    /// The gap at a place of the viewport.
    int gapAt(const QPoint& place) const;

    /// What a drop would do now; nothing if no blocks are picked up, or outside the stack.
    const std::optional<BlockMove>& move() const { return m_move; }

Q_SIGNALS:
    /// What a drop would do, or why nothing can land here; empty at the end.
    void told(const QString& sentence);

    /// Blocks were picked up or dropped.
    void activeChanged();

private:
    bool isIdle() const { return !isActive() && m_entry == nullptr; }
    void showInsertion();
    void openGap(double line);
    void paintInsertion(QPainter& painter, const Theme& theme) const;
    void begin(BlockMove move);
    void finish();
    bool finishWith(Qt::KeyboardModifiers modifiers);
    void update();
    void takeModifiers(Qt::KeyboardModifiers modifiers);
    void landAtPointer();
    void pressByKeys(const QKeyEvent& event);
    void step(int by, GapStep step);
    void goTo(int gap);
    bool isOutside() const;
    QString refusal() const;
    QString sentence() const;
    void showLanding();
    void showTarget();
    void showCursor();
    void tell(const QString& sentence);
    std::vector<LandingRow> rows() const;
    double line() const;
    bool isPicked(int row) const;
    bool isPlace(int row) const;
    bool isPlaceForEntry(int row) const;
    bool isFaint(int row) const;
    void paintOverlay(QPainter& painter) const;
    void paintLanding(QPainter& painter, const Theme& theme) const;
    void paintRowScale(QPainter& painter, const Theme& theme) const;
    void paintGhost(QPainter& painter, const Theme& theme) const;

    Document& m_document;
    StackView& m_view;
    LandingGap m_gap;
    EdgeScroller m_scroller;
    DragOverlay* m_overlay;
    std::optional<BlockMove> m_move;
    const PaletteEntry* m_entry = nullptr; ///< of static lifetime
    std::optional<int> m_insertion; ///< the gap that is open for a block with it
    std::optional<QPoint> m_altAt; ///< where Alt was last held
    bool m_byKeys = false;
    Qt::KeyboardModifiers m_modifiers;
    QPoint m_pointer; ///< in the viewport
    BlockGhost m_ghost;
    QString m_told;
};

} // namespace flopsmith::ui
