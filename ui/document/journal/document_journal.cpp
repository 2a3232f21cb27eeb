// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/journal/document_journal.h"

#include "ui/document/journal/journaled_document.h"

#include <utility>

namespace flopsmith::ui {

DocumentJournal::DocumentJournal(Document& document, std::filesystem::path folder, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_saved(journalEntry(document))
    , m_writer(std::move(folder),
               [this](const Error& error) {
                   const QString reason = QString::fromStdString(error.message);
                   QMetaObject::invokeMethod(
                       this, [this, reason] { reportFailure(reason); }, Qt::QueuedConnection);
               })
    , m_throttle([this] { write(); }, kInterval)
{
    connect(&m_document.undoStack(), &QUndoStack::indexChanged, this, &DocumentJournal::note);
    connect(&m_document, &Document::fileChanged, this, &DocumentJournal::note);
    note();
}

DocumentJournal::~DocumentJournal()
{
    flush();
}

bool DocumentJournal::flush()
{
    m_throttle.flush();
    return m_writer.finish();
}

void DocumentJournal::close()
{
    m_closed = true;
    m_noted.clear();
    m_writer.clear();
    m_writer.finish();
}

void DocumentJournal::note()
{
    if (m_closed) {
        return;
    }
    if (m_document.isModified()) {
        noteUnsaved();
        m_throttle.request();
    } else {
        noteSaved();
    }
}

// Clears at once, so that a crash now does not offer work that is already saved.
void DocumentJournal::noteSaved()
{
    m_saved = journalEntry(m_document);
    m_noted.clear();
    if (std::exchange(m_kept, false)) {
        m_writer.clear();
    }
}

// A drag changes the same step many times; only the last state is kept.
void DocumentJournal::noteUnsaved()
{
    if (!std::exchange(m_kept, true)) {
        m_noted.push_back(m_saved);
    }
    JournalEntry entry = journalEntry(m_document);
    if (m_noted.size() > 1 && m_noted.back().position == entry.position) {
        m_noted.pop_back();
    }
    m_noted.push_back(std::move(entry));
}

void DocumentJournal::write()
{
    if (!m_noted.empty() && !m_closed) {
        m_writer.append(std::exchange(m_noted, {}));
    }
}

void DocumentJournal::reportFailure(const QString& reason)
{
    if (!std::exchange(m_failureReported, true)) {
        Q_EMIT failed(reason);
    }
}

} // namespace flopsmith::ui

#include "moc_document_journal.cpp"
