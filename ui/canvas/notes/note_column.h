// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/stack/stack_columns.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace flopsmith::ui {

class NoteCardView;

/// A note as the column shows it.
struct ShownNote
{
    int note = -1; ///< of the document; -1: one that is being written
    QString about; ///< "Blocks 1 – 12, FFN"
    QString text;
    double at = 0.0; ///< the height of what it is about, in the coordinates of the stack
    bool hasLine = true; ///< to there

    bool operator==(const ShownNote&) const = default;
};

/// Cards with notes beside the stack, each at the height of what it is about or, where others stand
/// there, below them. It scrolls with the stack.
class NoteColumn : public QWidget
{
    Q_OBJECT

public:
    /// `viewport`: of the stack, which gets what the wheel does here.
    NoteColumn(QWidget& viewport, QWidget* parent);

    /// From the top of the stack to its end.
    void setNotes(std::vector<ShownNote> notes);

    void setScroll(int scroll);

    /// Edits the card of a note; -1: of the one that is being written.
    void edit(int note);

    bool isEditing() const;
    int count() const { return static_cast<int>(m_notes.size()); }

    /// Of the last card, in the coordinates of the stack.
    double bottom() const;

    /// In coordinates of this widget.
    QRect placeOf(int card) const;

Q_SIGNALS:
    void typed(int note, const QString& text);
    void cancelled(int note);
    void deletionRequested(int note);
    void scrollRequested(int scroll);

    /// The focus is to go back to the stack.
    void left();

    /// The last card ends elsewhere.
    void bottomChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void addCard(std::size_t card);
    void layOut();
    void place();
    void bringIntoView(int card);
    void step(int card, int by);

    QWidget& m_viewport;
    std::vector<ShownNote> m_notes;
    std::vector<NoteCardView*> m_cards; ///< parallel to the notes
    std::vector<ColumnSpan> m_spans; ///< parallel to them
    int m_scroll = 0;
};

} // namespace flopsmith::ui
