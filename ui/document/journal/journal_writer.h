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

/// A thread that writes one journal, so that the window never waits for a disk. The file comes into
/// being with the first entry and goes with clear(). What could not be written is tried again with
/// the next entries. The destructor finishes what is to be done, and leaves the file.
class JournalWriter
{
public:
    /// `failed` is called on the thread, each time that something could not be written.
    JournalWriter(std::filesystem::path folder, std::function<void(const Error&)> failed);
    ~JournalWriter();
    JournalWriter(const JournalWriter&) = delete;
    JournalWriter& operator=(const JournalWriter&) = delete;

    void append(std::vector<JournalEntry> entries);
    void clear();

    /// Waits until all of it is done. Whether it is on the disk.
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
    std::mutex m_mutex; ///< of the next three
    std::condition_variable_any m_changed;
    std::deque<Job> m_jobs;
    bool m_busy = false;
    std::optional<JournalFile> m_file; ///< of the thread alone, as are the next two
    std::string m_unwritten;
    std::size_t m_limit = kLargestJournal;
    std::jthread m_thread; ///< last, so that it ends first
};

} // namespace flopsmith::ui
