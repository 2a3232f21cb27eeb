// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/journal/journal_writer.h"

#include <algorithm>
#include <utility>

namespace flopsmith::ui {

JournalWriter::JournalWriter(std::filesystem::path folder, std::function<void(const Error&)> failed)
    : m_folder(std::move(folder))
    , m_failed(std::move(failed))
    , m_thread([this](const std::stop_token& stop) { loop(stop); })
{}

JournalWriter::~JournalWriter()
{
    m_thread.request_stop();
}

void JournalWriter::append(std::vector<JournalEntry> entries)
{
    add([this, entries = std::move(entries)] { write(entries); });
}

void JournalWriter::clear()
{
    add([this] {
        m_unwritten.clear();
        if (m_file) {
            m_file->remove();
            m_file.reset();
        }
    });
}

bool JournalWriter::finish()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_jobs.empty() && !m_busy; });
    return m_unwritten.empty();
}

void JournalWriter::add(Job job)
{
    const std::lock_guard lock(m_mutex);
    m_jobs.push_back(std::move(job));
    m_changed.notify_all();
}

void JournalWriter::loop(const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, stop, [this] { return !m_jobs.empty(); });
        if (m_jobs.empty()) {
            return; // stop was requested and the queue is empty
        }
        const Job job = std::move(m_jobs.front());
        m_jobs.pop_front();
        m_busy = true;
        lock.unlock();
        job();
        lock.lock();
        m_busy = false;
        m_changed.notify_all();
    }
}

void JournalWriter::write(const std::vector<JournalEntry>& entries)
{
    if (m_unwritten.size() > kLargestJournal) {
        m_unwritten.clear(); // only the newest entries are kept
    }
    for (const JournalEntry& entry : entries) {
        m_unwritten += journalLine(entry);
    }
    if (const Status done = written(); !done) {
        m_failed(done.error());
    }
}

Status JournalWriter::written()
{
    if (m_file && m_file->isThere()) {
        FLOPSMITH_RETURN_IF_ERROR(m_file->append(m_unwritten));
    } else {
        FLOPSMITH_TRY(JournalFile file, JournalFile::create(m_folder, m_unwritten));
        m_file.emplace(std::move(file));
    }
    m_unwritten.clear();
    return m_file->size() > m_limit ? shorten() : Status(Done{});
}

// To a quarter, so that it is not done at every step. One state may be larger than the limit.
Status JournalWriter::shorten()
{
    const Result<std::string> text = m_file->text();
    FLOPSMITH_TRY(const JournalHistory history,
                  text ? parsedJournal(*text) : Result<JournalHistory>(text.error()));
    const Status done = m_file->replace(shortenedJournal(history, kLargestJournal / 4));
    m_limit = std::max(kLargestJournal, 4 * m_file->size());
    return done;
}

} // namespace flopsmith::ui
