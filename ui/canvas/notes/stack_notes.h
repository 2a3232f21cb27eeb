// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/stack/note_cards.h"
#include "ui/canvas/base/stack_margin.h"
#include "ui/document/document.h"

#include <QObject>

#include <optional>

QT_BEGIN_NAMESPACE
class QAction;
QT_END_NAMESPACE

namespace flopsmith::ui {

class NoteColumn;

/// The document's notes on cards in the stack's margin, and the note that is being written.
class StackNotes : public QObject
{
    Q_OBJECT

public:
    /// The notes are hidden while `shown` is not checked.
    StackNotes(Document& document, StackSurface& surface, StackMargin& margin, QAction& shown);

    NoteColumn& column() { return *m_column; }

    /// In pixels; 0 if there are none, or no room for them.
    int width() const;

    /// Where the last card ends, in the scene; 0 while no cards are seen.
    double bottom() const;

    /// Opens an empty card about the selected part, or about the whole stack.
    void write(bool onWholeStack);

    /// Places the cards anew, after the stack has been laid out.
    void show();

Q_SIGNALS:
    void bottomChanged();

private:
    int roomBesideStack() const;
    NoteAnchor selectedAnchor() const;
    void take(int note, const QString& text);
    double heightOf(const NotedPart& noted) const;

    Document& m_document;
    StackSurface& m_surface;
    StackMargin& m_margin;
    QAction& m_shown;
    NoteColumn* m_column;
    std::optional<NoteAnchor> m_newNote; ///< what the note that is being written is about
};

} // namespace flopsmith::ui
