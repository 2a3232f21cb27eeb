// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/document/journal/journal_writer.h"
#include "ui/document/throttle.h"

#include <QObject>

#include <filesystem>
#include <vector>

namespace flopsmith::ui {

/// Keeps a journal of a document's unsaved work, for the case that the program does not end as it
/// should: every step of the undo history, on the disk within kInterval and what a write takes.
/// While the document is as in its file there is no journal.
class DocumentJournal : public QObject
{
    Q_OBJECT

public:
    static constexpr int kInterval = 500; // milliseconds

    DocumentJournal(Document& document, std::filesystem::path folder, QObject* parent = nullptr);

    /// Leaves the journal where it is, unless close() came before.
    ~DocumentJournal() override;

    /// Everything up to now is on the disk; false if it cannot be written. To be called before the
    /// document is saved: then a crash between the two leaves a journal of what the file holds.
    bool flush();

    /// The document was saved or given up: nothing is left of the journal, and nothing follows.
    void close();

Q_SIGNALS:
    /// The first time that something cannot be written; it is tried again all the same.
    void failed(const QString& reason);

private:
    void note();
    void noteUnsaved();
    void noteSaved();
    void write();
    void reportFailure(const QString& reason);

    Document& m_document;
    JournalEntry m_saved; ///< the document as in its file, or as it began
    std::vector<JournalEntry> m_noted; ///< not yet with the writer
    bool m_kept = false; ///< whether there is a journal, with m_saved before anything else
    bool m_closed = false;
    bool m_failureReported = false;
    JournalWriter m_writer;
    Throttle m_throttle;
};

} // namespace flopsmith::ui
