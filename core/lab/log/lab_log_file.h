// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_handle.h"
#include "core/base/result.h"
#include "core/lab/log/lab_log.h"
#include "core/lab/log/lab_tail.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace flopsmith {

Result<LabLog> readLabLog(const std::string& path);

/// Whether a lock prevents other programs from writing a log.
enum class LogLock {
    held,
    impossible, ///< its file system has no locks
};

/// A log that is being written. Only one program at a time can.
class LabLogFile
{
public:
    /// A new log, or an existing one of the same plan, without a line that was cut off. Errors: a log
    /// of another plan; one that another program writes.
    static Result<LabLogFile> open(const std::string& path,
                                   const LabPlan& plan,
                                   const std::string& machine);

    /// Continues an existing log with its own plan.
    static Result<LabLogFile> reopen(const std::string& path);

    /// The same of a log that was read by a tail: reads into `log` what the tail has not read yet.
    static Result<LabLogFile> reopen(LabTail& tail, LabLog& log);

    const std::string& path() const { return m_path; }
    LogLock lock() const { return m_lock; }

    /// What was read, and all that was appended since.
    const LabLog& log() const { return m_log; }

    /// Refuses in a file that cannot be locked once another program has written too.
    Status append(const LogLine& line);

    /// Calls `listener` with each line that is appended from now on.
    void listen(std::function<void(const LogLine&)> listener) { m_listener = std::move(listener); }

private:
    LabLogFile(std::string path, FileHandle file, LogLock lock, LabLog log);

    std::string m_path;
    FileHandle m_file; ///< closed, it is unlocked
    LogLock m_lock;
    std::optional<std::int64_t> m_size; ///< of the file as this program left it; empty: unknown
    LabLog m_log;
    std::function<void(const LogLine&)> m_listener = [](const LogLine&) {};
};

} // namespace flopsmith
