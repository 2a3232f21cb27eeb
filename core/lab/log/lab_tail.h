// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/lab/log/lab_log.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace flopsmith {

/// A place in the file of a log, up to which it is read. Another program may write it meanwhile, so
/// that it is read in whole lines: a program that continues a log cuts off an unfinished line.
class LabTail
{
public:
    /// What stands before `place` is known.
    LabTail(std::string path, std::int64_t place);

    /// Reads the plan into `log`. Errors: a file that cannot be read, or is no log.
    static Result<LabTail> open(const std::string& path, LabLog& log);

    const std::string& path() const { return m_path; }
    std::int64_t place() const { return m_place; } ///< of the next line

    /// Reads the next lines, about `maxBytes` at most, into `log`. True if it has changed. An Error if
    /// the file is gone or has become shorter: what was read stays.
    Result<bool> readNext(std::size_t maxBytes, LabLog& log);

    Status readToEnd(LabLog& log);

    /// Goes past a line that this program has written.
    void skip(const LogLine& line) { m_place += static_cast<std::int64_t>(line.text().size()); }

    /// Whether all that was in the file at the last call is read.
    bool isAtEnd() const { return m_isAtEnd; }

private:
    std::string m_path;
    std::int64_t m_place;
    std::size_t m_begunBytes = 0; ///< there, of a line whose end is not there yet
    bool m_isAtEnd = false;
};

} // namespace flopsmith
