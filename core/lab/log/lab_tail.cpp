// SPDX-License-Identifier: MIT
#include "core/lab/log/lab_tail.h"

#include "core/base/file_handle.h"
#include "core/base/printable.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace flopsmith {
namespace {

constexpr std::size_t kLongestHeader = 1 << 20;
constexpr std::size_t kLongestLogLine = 16 << 20;

Error notRead(const std::string& path)
{
    return {printable(path) + ": cannot be read: " + std::generic_category().message(errno)};
}

// At most `limit` bytes from `place` on.
Result<std::string> bytesOf(const std::string& path, std::int64_t place, std::size_t limit)
{
    const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat found = {};
    if (!file.isOpen() || ::fstat(file.descriptor(), &found) != 0) {
        return notRead(path);
    }
    if (!S_ISREG(found.st_mode)) {
        return Error{printable(path) + ": cannot be read: this is no regular file"};
    }
    if (found.st_size < place) {
        return Error{printable(path) + " has become shorter while it was read; open it again"};
    }
    std::string bytes(std::min(limit, static_cast<std::size_t>(found.st_size - place)), '\0');
    std::size_t have = 0;
    while (have < bytes.size()) {
        const ssize_t count = ::pread(file.descriptor(),
                                      bytes.data() + have,
                                      bytes.size() - have,
                                      static_cast<off_t>(place) + static_cast<off_t>(have));
        if (count < 0 && errno != EINTR) {
            return notRead(path);
        }
        if (count == 0) {
            break;
        }
        have += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    bytes.resize(have);
    return bytes;
}

} // namespace

LabTail::LabTail(std::string path, std::int64_t place)
    : m_path(std::move(path))
    , m_place(place)
{}

Result<LabTail> LabTail::open(const std::string& path, LabLog& log)
{
    FLOPSMITH_TRY(const std::string begin, bytesOf(path, 0, kLongestHeader));
    const std::size_t end = begin.find('\n');
    const std::string header = end == std::string::npos ? begin : begin.substr(0, end + 1);
    FLOPSMITH_TRY(log, parsedLabLog(header, printable(path)));
    return LabTail(path, static_cast<std::int64_t>(header.size()));
}

Result<bool> LabTail::readNext(std::size_t maxBytes, LabLog& log)
{
    const std::size_t limit = m_begunBytes + maxBytes;
    FLOPSMITH_TRY(const std::string bytes, bytesOf(m_path, m_place, limit));
    m_isAtEnd = bytes.size() < limit;
    std::size_t begin = 0;
    for (std::size_t end = bytes.find('\n'); end != std::string::npos;
         end = bytes.find('\n', begin)) {
        const std::string_view line = std::string_view(bytes).substr(begin, end - begin);
        log.damagedLines += applyLine(LogLine::parsed(line), log) ? 0 : 1;
        begin = end + 1;
    }
    const bool changed = begin > 0;
    if (!changed && bytes.size() > kLongestLogLine) {
        begin = bytes.size();
        ++log.damagedLines;
    }
    m_place += static_cast<std::int64_t>(begin);
    m_begunBytes = bytes.size() - begin;
    return changed;
}

Status LabTail::readToEnd(LabLog& log)
{
    constexpr std::size_t kAtOnce = 1 << 20;
    do {
        FLOPSMITH_RETURN_IF_ERROR(readNext(kAtOnce, log));
    } while (!m_isAtEnd);
    return Done{};
}

} // namespace flopsmith
