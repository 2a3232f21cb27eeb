// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/replaced_log.h"

#include "core/base/printable.h"
#include "core/base/text_file.h"

#include <filesystem>
#include <utility>

namespace flopsmith::app {

Result<std::optional<LabLogFile>> replacedLog(const std::string& target)
{
    std::error_code ignored;
    if (isStandardOutput(target) || !std::filesystem::is_regular_file(target, ignored)) {
        return std::optional<LabLogFile>();
    }
    FLOPSMITH_TRY(LabLogFile log, LabLogFile::reopen(target));
    if (log.lock() == LogLock::impossible) {
        return Error{printable(target)
                     + ": its file system has no locks, so that a run may be writing it; name "
                       "another file"};
    }
    return std::optional(std::move(log));
}

Outcome writtenLog(const std::string& target, const std::string& text)
{
    if (isStandardOutput(target)) {
        return Outcome::success(text);
    }
    const Status written = writeFile(target, text);
    return written ? Outcome::success("") : Outcome::badInput(written.error());
}

} // namespace flopsmith::app
