// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/edits/note_edit.h"

#include "core/base/check.h"
#include "ui/document/document.h"

#include <utility>

namespace flopsmith::ui {
namespace {

void takeNotes(Document& document, const QString& text, std::vector<Note> notes)
{
    document.history().endGesture();
    DocumentState after = document.state();
    after.notes = std::move(notes);
    document.push(text, std::move(after), {});
    document.setNotice({});
}

} // namespace

Status addNote(Document& document, const NoteAnchor& anchor, const QString& text)
{
    FLOPSMITH_RETURN_IF_ERROR(checked(anchor, document.model()));
    std::string words = noteText(text.toStdString());
    if (words.empty()) {
        return Done{};
    }
    if (document.notes().size() >= kMaxNotes) {
        return Error{Document::tr("A design has at most %1 notes; delete one to add another")
                         .arg(kMaxNotes)
                         .toStdString()};
    }
    std::vector<Note> after = document.notes();
    after.push_back({anchor, std::move(words)});
    takeNotes(document, Document::tr("Add note"), std::move(after));
    return Done{};
}

void changeNote(Document& document, int note, const QString& text)
{
    std::string words = noteText(text.toStdString());
    if (words.empty()) {
        deleteNote(document, note);
        return;
    }
    std::vector<Note> after = document.notes();
    after.at(static_cast<std::size_t>(note)).text = std::move(words);
    takeNotes(document, Document::tr("Change note"), std::move(after));
}

void deleteNote(Document& document, int note)
{
    FLOPSMITH_CHECK(note >= 0 && note < static_cast<int>(document.notes().size()));
    std::vector<Note> after = document.notes();
    after.erase(after.begin() + note);
    takeNotes(document, Document::tr("Delete note"), std::move(after));
    document.tellRemoved(Document::tr("The note was deleted."));
}

} // namespace flopsmith::ui
