// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace flopsmith {
struct JournalEntry;
struct JournalHistory;
} // namespace flopsmith

namespace flopsmith::ui {

class Document;

/// The current state as a journal entry, and the reverse: restores a document from a journal with
/// its undo history, modified, and with the same file.
JournalEntry journalEntry(const Document& document);
void restoreFrom(const JournalHistory& history, Document& document);

} // namespace flopsmith::ui
