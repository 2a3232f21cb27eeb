// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/document/journal/journal_writer.h"
#include "ui/document/throttle.h"

#include <QObject>

#include <filesystem>
#include <vector>

namespace flopsmith::ui {

/// Keeps a journal of a document's unsaved work for crash recovery: every step of the undo history
/// is written within kInterval. While the document equals its file there is no journal.
class DocumentJournal : public QObject
{
    Q_OBJECT

public:
    static constexpr int kInterval = 500; // milliseconds

    DocumentJournal(Document& document, std::filesystem::path folder, QObject* parent = nullptr);

    /// Keeps the journal file unless close() was called.
    ~DocumentJournal() override;

    /// Writes everything to the disk; false if that fails. Call it before saving the document: a
    /// crash in between then leaves a journal whose last state is that of the file.
    bool flush();

    /// Removes the journal and stops, because the document was saved or discarded.
    void close();

Q_SIGNALS:
    /// A write has failed for the first time; later ones are still tried.
    void failed(const QString& reason);

private:
    void note();
    void noteUnsaved();
    void noteSaved();
    void write();
    void reportFailure(const QString& reason);

    Document& m_document;
    JournalEntry m_saved; ///< the document as saved, or as it was at the start
    std::vector<JournalEntry> m_noted; ///< not yet given to the writer
    bool m_kept = false; ///< whether there is a journal, which starts with m_saved
    bool m_closed = false;
    bool m_failureReported = false;
    JournalWriter m_writer;
    Throttle m_throttle;
};

} // namespace flopsmith::ui
