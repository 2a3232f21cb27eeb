// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/note/note.h"
#include "ui/document/document.h"

#include <utility>

// Notes at parts of the model.

namespace flopsmith::ui {

Status Document::addNote(const NoteAnchor& anchor, const QString& text)
{
    FLOPSMITH_RETURN_IF_ERROR(checked(anchor, model()));
    std::string words = noteText(text.toStdString());
    if (words.empty()) {
        return Done{};
    }
    if (notes().size() >= kMaxNotes) {
        return Error{tr("A design has at most %1 notes; delete one to add another")
                         .arg(kMaxNotes)
                         .toStdString()};
    }
    std::vector<Note> after = notes();
    after.push_back({anchor, std::move(words)});
    takeNotes(tr("Add note"), std::move(after));
    return Done{};
}

void Document::changeNote(int note, const QString& text)
{
    std::string words = noteText(text.toStdString());
    if (words.empty()) {
        deleteNote(note);
        return;
    }
    std::vector<Note> after = notes();
    after.at(static_cast<std::size_t>(note)).text = std::move(words);
    takeNotes(tr("Change note"), std::move(after));
}

void Document::deleteNote(int note)
{
    FLOPSMITH_CHECK(note >= 0 && note < static_cast<int>(notes().size()));
    std::vector<Note> after = notes();
    after.erase(after.begin() + note);
    takeNotes(tr("Delete note"), std::move(after));
}

void Document::takeNotes(const QString& text, std::vector<Note> notes)
{
    m_history.endGesture();
    DocumentState after = *m_state;
    after.notes = std::move(notes);
    push(text, std::move(after), {});
    setNotice({});
}

} // namespace flopsmith::ui
