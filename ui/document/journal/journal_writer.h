// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/journal/journal_file.h"

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace flopsmith::ui {

/// A thread that writes one journal, so that the window never waits for a disk. The first entry
/// creates the file and clear() removes it. Entries that could not be written are tried again with
/// the next ones. The destructor finishes pending work and keeps the file.
class JournalWriter
{
public:
    /// `failed` is called on the thread after each failed write.
    JournalWriter(std::filesystem::path folder, std::function<void(const Error&)> failed);
    ~JournalWriter();
    JournalWriter(const JournalWriter&) = delete;
    JournalWriter& operator=(const JournalWriter&) = delete;

    void append(std::vector<JournalEntry> entries);
    void clear();

    /// Waits for all pending work; whether everything is on the disk.
    bool finish();

private:
    using Job = std::function<void()>;

    void add(Job job);
    void loop(const std::stop_token& stop);
    void write(const std::vector<JournalEntry>& entries);
    Status written();
    Status shorten();

    std::filesystem::path m_folder;
    std::function<void(const Error&)> m_failed;
    std::mutex m_mutex; ///< guards the next three
    std::condition_variable_any m_changed;
    std::deque<Job> m_jobs;
    bool m_busy = false;
    std::optional<JournalFile> m_file; ///< used by the thread only, like the next two
    std::string m_unwritten;
    std::size_t m_limit = kLargestJournal;
    std::jthread m_thread; ///< last, so that it is joined first
};

} // namespace flopsmith::ui
