// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/drag/drag_feedback.h"
#include "ui/canvas/entries/palette_entry.h"

#include <QPoint>

#include <optional>

QT_BEGIN_NAMESPACE
class QEvent;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// An entry of the palette that is dragged over the stack and dropped there: onto a block, whose part
/// it replaces, below the last row, or between rows, and with Alt inside them, as a block of its own.
class EntryDrop
    : public QObject
    , private DragGesture
{
    Q_OBJECT

public:
    EntryDrop(Document& document, StackSurface& surface, DragFeedback& feedback);

    /// Answers a drag event of the viewport.
    void answer(QEvent& event);

    /// The entry is held over a place of the viewport: shows what a drop would do, or says why it
    /// cannot be dropped there; then false.
    bool hover(const PaletteEntry& entry, const QPoint& place, Qt::KeyboardModifiers modifiers);

    /// The entry has left the stack.
    void leave();

    /// Drops the entry as hover() has shown it last; false if it cannot be.
    bool take(const PaletteEntry& entry, const QPoint& place, Qt::KeyboardModifiers modifiers);

    /// Drops the entry on the row at a place of the viewport; false if it takes none.
    bool drop(const PaletteEntry& entry, const QPoint& place, Extent extent);

    /// Inserts a block with the entry at a gap between blocks; false if it cannot be.
    bool insertAt(const PaletteEntry& entry, int gap);

Q_SIGNALS:
    /// Why the entry cannot be dropped here; empty if it can.
    void refused(const QString& sentence);

    /// What dropping it would do, or why it cannot be inserted here.
    void hintChanged(const QString& sentence);

private:
    std::optional<DropTarget> target(const PaletteEntry& entry, int row) const;
    QString refusal(const PaletteEntry& entry, int row) const;
    std::optional<int> gapFor(const PaletteEntry& entry,
                              const QPoint& place,
                              Qt::KeyboardModifiers modifiers) const;
    bool show();
    bool showTarget();
    bool showInsertion(int gap);
    void cancel() override { leave(); }
    void scrolled() override { show(); }
    bool isFaint(int row) const override;
    void paintOverlay(QPainter& painter, const Theme& theme) const override;

    Document& m_document;
    StackSurface& m_surface;
    DragFeedback& m_feedback;
    const PaletteEntry* m_entry = nullptr; ///< of static lifetime
    QPoint m_pointer;
    Qt::KeyboardModifiers m_modifiers;
    std::optional<int> m_insertion; ///< the gap that is open for a block with the entry
    std::optional<QPoint> m_altAt; ///< where Alt was last held
};

} // namespace flopsmith::ui
