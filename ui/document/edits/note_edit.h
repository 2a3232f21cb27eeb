// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/note/note.h"

#include <QString>

namespace flopsmith::ui {

class Document;

// Edits of the notes at parts of the model, which go with their blocks through every other edit.

/// Adds a note, changes the text of one by its index, or deletes it, each as one undo step. The
/// text is cut as noteText() does it. The Error says why not; without a text nothing is added and
/// the changed note is deleted.
Status addNote(Document& document, const NoteAnchor& anchor, const QString& text);
void changeNote(Document& document, int note, const QString& text);
void deleteNote(Document& document, int note);

} // namespace flopsmith::ui
