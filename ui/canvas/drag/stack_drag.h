// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/stack/landing.h"
#include "ui/canvas/drag/block_ghost.h"
#include "ui/canvas/drag/drag_feedback.h"
#include "ui/canvas/drag/dragged_blocks.h"
#include "ui/document/document.h"

#include <QPoint>

#include <optional>
#include <vector>

QT_BEGIN_NAMESPACE
class QKeyEvent;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Blocks that are picked up in the stack, by the mouse or by the keyboard: where they would land,
/// what is painted meanwhile, and the drop, which is one undo step. Nothing changes before it.
class StackDrag
    : public QObject
    , private DragGesture
{
    Q_OBJECT

public:
    /// `painter` draws the blocks that the pointer drags.
    StackDrag(Document& document,
              StackSurface& surface,
              const StackRowPainter& painter,
              DragFeedback& feedback);

    bool isActive() const { return m_blocks.has_value(); }
    bool isByKeys() const { return isActive() && m_blocks->byKeys; }

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
    void cancel() override;

    /// What a drop would do now; nothing if no blocks are picked up.
    const BlockMove* move() const { return isActive() ? &m_blocks->move : nullptr; }

Q_SIGNALS:
    /// What a drop would do, or why nothing can land here; empty at the end.
    void hintChanged(const QString& sentence);

private:
    void begin(DraggedBlocks blocks);
    void finish();
    bool finishWith(Qt::KeyboardModifiers modifiers);
    void update();
    void pressByKeys(const QKeyEvent& event);
    void step(int by, GapStep step);
    void goTo(int gap);
    void showLanding();
    void showTarget();
    void tell(const QString& sentence);
    std::vector<LandingRow> rows() const;
    double line() const;
    void scrolled() override { update(); }
    bool isFaint(int row) const override;
    void paintOverlay(QPainter& painter, const Theme& theme) const override;
    void paintLanding(QPainter& painter, const Theme& theme) const;
    void paintRowScale(QPainter& painter, const Theme& theme) const;

    Document& m_document;
    StackSurface& m_surface;
    DragFeedback& m_feedback;
    std::optional<DraggedBlocks> m_blocks;
    Qt::KeyboardModifiers m_modifiers;
    QPoint m_pointer; ///< in the viewport
    BlockGhost m_ghost;
    QString m_told;
};

} // namespace flopsmith::ui
