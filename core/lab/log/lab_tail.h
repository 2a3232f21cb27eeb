// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/lab/log/lab_log.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace flopsmith {

/// A log that is read while another thread or program writes it, a little at a time and in whole
/// lines: who continues a log cuts off a line that was left unfinished.
class LabTail
{
public:
    /// Reads the plan. Errors: a file that cannot be read, or is no log.
    static Result<LabTail> open(const std::string& path);

    const std::string& path() const { return m_path; }
    const LabLog& log() const { return m_log; }

    /// Reads on, about `maxBytes` at most. True if the log has changed. An Error if the file is gone
    /// or has become shorter: what was read stays.
    Result<bool> readOn(std::size_t maxBytes);

    /// Whether all that was there at the last look is read.
    bool isAtEnd() const { return m_isAtEnd; }

private:
    LabTail(std::string path, LabLog log, std::int64_t place);

    std::string m_path;
    LabLog m_log;
    std::int64_t m_place; ///< of the next line
    std::size_t m_begunBytes = 0; ///< there, of a line whose end is not there yet
    bool m_isAtEnd = false;
};

} // namespace flopsmith
