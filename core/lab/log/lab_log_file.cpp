// SPDX-License-Identifier: MIT
#include "core/lab/log/lab_log_file.h"

#include "core/base/printable.h"
#include "core/io/safetensors/mapped_file.h"
#include "core/lab/plan/lab_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace flopsmith {
namespace {

constexpr std::string_view kHeaderBegin = "{\"flopsmith_lab_log\"";

Error notWritten(const std::string& path)
{
    return {printable(path) + ": cannot be written: " + std::generic_category().message(errno)};
}

std::string_view textOf(const MappedFile& file)
{
    const std::span<const std::byte> bytes = file.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; // NOLINT: bytes as text
}

struct OpenedLog
{
    FileHandle file;
    LogLock lock = LogLock::held;
};

Error writtenByAnother(const std::string& path, const std::string& detail = "")
{
    return {printable(path) + " is being written by another run of this lab" + detail
            + "; wait for it, or name another file"};
}

// Of Lustre without its option flock, and of some network file systems.
bool meansNoLocks(int reason)
{
    return reason == ENOSYS || reason == ENOLCK || reason == EOPNOTSUPP;
}

// Labs run where there are no locks too, as folders of clusters are often such: append() stops there
// as soon as another program has written, so that runs of both do not mix.
Result<LogLock> lockOf(const std::string& path, const FileHandle& file)
{
    if (::flock(file.descriptor(), LOCK_EX | LOCK_NB) == 0) {
        return LogLock::held;
    }
    if (errno == EWOULDBLOCK) {
        return writtenByAnother(path);
    }
    if (meansNoLocks(errno)) {
        return LogLock::impossible;
    }
    return Error{printable(path) + ": cannot be locked: " + std::generic_category().message(errno)};
}

std::optional<std::int64_t> sizeOf(const FileHandle& file)
{
    struct stat found = {};
    return ::fstat(file.descriptor(), &found) == 0 ? std::optional<std::int64_t>(found.st_size)
                                                   : std::nullopt;
}

// Opened for appending, and locked where there are locks.
Result<OpenedLog> openedLog(const std::string& path, int flags)
{
    FileHandle file(::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | flags, 0666));
    if (!file.isOpen()) {
        return notWritten(path);
    }
    struct stat found = {};
    if (::fstat(file.descriptor(), &found) != 0 || !S_ISREG(found.st_mode)) {
        return Error{printable(path) + ": cannot be written: this is no regular file"};
    }
    FLOPSMITH_TRY(const LogLock lock, lockOf(path, file));
    if (!file.isNamed(path)) { // what is written into it would be lost
        return Error{printable(path) + " was replaced by another program just now; try again"};
    }
    return OpenedLog{.file = std::move(file), .lock = lock};
}

// Without what follows the last line feed, which ends at `end`.
Status cutTornLine(const std::string& path, const FileHandle& file, std::int64_t end)
{
    const bool isTorn = sizeOf(file).value_or(end) > end;
    return isTorn && ::ftruncate(file.descriptor(), static_cast<off_t>(end)) != 0
        ? Status(notWritten(path))
        : Status(Done{});
}

Result<LabLog> logOfFile(const std::string& path, const FileHandle& file)
{
    Result<LabLog> log = Error{""};
    {
        FLOPSMITH_TRY(const MappedFile mapped, MappedFile::open(path));
        log = parsedLabLog(textOf(mapped), printable(path));
        if (!log) {
            return log;
        }
        const std::size_t whole = textOf(mapped).rfind('\n') + 1; // a log has a first line
        FLOPSMITH_RETURN_IF_ERROR(cutTornLine(path, file, static_cast<std::int64_t>(whole)));
    }
    return log;
}

// Whether a log has no whole first line, because whoever began it was killed.
bool isUnbegun(const std::string& path)
{
    const Result<MappedFile> mapped = MappedFile::open(path);
    if (!mapped || textOf(*mapped).find('\n') != std::string_view::npos) {
        return false;
    }
    const std::string_view begin = textOf(*mapped).substr(0, kHeaderBegin.size());
    return kHeaderBegin.starts_with(begin);
}

} // namespace

Result<LabLog> readLabLog(const std::string& path)
{
    FLOPSMITH_TRY(const MappedFile mapped, MappedFile::open(path));
    return parsedLabLog(textOf(mapped), printable(path));
}

LabLogFile::LabLogFile(std::string path, FileHandle file, LogLock lock, LabLog log)
    : m_path(std::move(path))
    , m_file(std::move(file))
    , m_lock(lock)
    , m_size(sizeOf(m_file))
    , m_log(std::move(log))
{}

Result<LabLogFile> LabLogFile::open(const std::string& path,
                                    const LabPlan& plan,
                                    const std::string& machine)
{
    FLOPSMITH_TRY(OpenedLog opened, openedLog(path, O_CREAT));
    FileHandle& file = opened.file;
    if (isUnbegun(path)) {
        if (::ftruncate(file.descriptor(), 0) != 0
            || !file.write(headerLine(plan, machine).text())) {
            return notWritten(path);
        }
        return LabLogFile(path,
                          std::move(file),
                          opened.lock,
                          {.plan = plan,
                           .machine = machine,
                           .program = std::string(programVersion()),
                           .runs = {}});
    }
    FLOPSMITH_TRY(LabLog log, logOfFile(path, file));
    const PlanDifference difference = differenceOf(log.plan, plan);
    if (difference == PlanDifference::data) {
        return Error{
            printable(path)
            + " was begun with other data: the file that is learned from has changed; name "
              "another log"};
    }
    if (difference == PlanDifference::plan) {
        return Error{printable(path)
                     + " is the log of another lab: task, sizes, arms, seeds or budget differ; "
                       "name another file"};
    }
    return LabLogFile(path, std::move(file), opened.lock, std::move(log));
}

Result<LabLogFile> LabLogFile::reopen(const std::string& path)
{
    FLOPSMITH_TRY(OpenedLog opened, openedLog(path, 0));
    FLOPSMITH_TRY(LabLog log, logOfFile(path, opened.file));
    return LabLogFile(path, std::move(opened.file), opened.lock, std::move(log));
}

Result<LabLogFile> LabLogFile::reopen(LabTail& tail, LabLog& log)
{
    FLOPSMITH_TRY(OpenedLog opened, openedLog(tail.path(), 0));
    FLOPSMITH_RETURN_IF_ERROR(tail.readToEnd(log));
    FLOPSMITH_RETURN_IF_ERROR(cutTornLine(tail.path(), opened.file, tail.place()));
    return LabLogFile(tail.path(), std::move(opened.file), opened.lock, log);
}

Status LabLogFile::append(const LogLine& line)
{
    const std::optional<std::int64_t> before = sizeOf(m_file);
    if (m_lock == LogLock::impossible && before != m_size) {
        return writtenByAnother(m_path, ", which no lock of its file system prevents");
    }
    if (!m_file.write(line.text())) {
        const Error error = notWritten(m_path);
        // Half a line would make the next one unreadable too.
        const bool cut = before && ::ftruncate(m_file.descriptor(), *before) == 0;
        return cut ? error : Error{error.message + "; its last line is cut off"};
    }
    // Not what it is now: that would be with what another program wrote in the meantime.
    m_size = before ? std::optional(*before + std::ssize(line.text())) : std::nullopt;
    applyLine(line, m_log);
    m_listener(line);
    return Done{};
}

} // namespace flopsmith
