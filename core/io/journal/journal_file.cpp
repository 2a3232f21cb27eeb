// SPDX-License-Identifier: MIT
#include "core/io/journal/journal_file.h"

#include "core/base/user_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

const char* const kSuffix = ".journal";
const char* const kNewSuffix = ".new"; // not yet complete
constexpr std::size_t kMaxBytes = std::size_t{64} << 20U; // one line may exceed kLargestJournal
constexpr std::int64_t kForgottenSeconds = 24 * 3600;

Error journalError(const fs::path& path, const char* action)
{
    return {path.string() + ": cannot be " + action + ": "
            + std::generic_category().message(errno)};
}

// A name in a folder survives a power failure only if the folder is on the disk too.
void syncFolder(const fs::path& folder)
{
    const FileHandle file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (file.isOpen()) {
        ::fsync(file.descriptor());
    }
}

Status madeFolder(const fs::path& folder)
{
    std::error_code failed;
    fs::create_directories(folder.parent_path(), failed); // a failure is reported below
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
        return journalError(folder, "made");
    }
    return Done{};
}

// Unique among processes and within this one, and in the order of time.
std::string newName()
{
    static std::atomic<int> made{0};
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
    return std::to_string(seconds) + "-" + std::to_string(::getpid()) + "-"
        + std::to_string(++made);
}

// A locked file with these lines under a temporary name; not open, with errno set, on failure.
FileHandle completeFile(const fs::path& path, std::string_view lines)
{
    FileHandle file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file.isOpen()) {
        return file;
    }
    const bool done = ::flock(file.descriptor(), LOCK_EX | LOCK_NB) == 0 && file.write(lines)
        && ::fsync(file.descriptor()) == 0;
    if (!done) {
        const int reason = errno;
        ::unlink(path.c_str());
        file.close();
        errno = reason;
    }
    return file;
}

std::vector<fs::path> filesWith(const fs::path& folder, const char* suffix)
{
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator each(folder, failed), end; !failed && each != end;
         each.increment(failed)) {
        if (each->path().extension() == suffix) {
            files.push_back(each->path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::int64_t writtenAt(const fs::path& path)
{
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0 ? status.st_mtim.tv_sec : 0;
}

// Removes the unfinished journals that a crash left.
void removeIncomplete(const fs::path& folder)
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
    for (const fs::path& path : filesWith(folder, kNewSuffix)) {
        if (seconds - writtenAt(path) > kForgottenSeconds) {
            ::unlink(path.c_str());
        }
    }
}

void removeOldest(const fs::path& folder)
{
    removeIncomplete(folder);
    std::vector<fs::path> files = filesWith(folder, kSuffix);
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
        return writtenAt(a) < writtenAt(b);
    });
    std::size_t count = files.size();
    for (auto path = files.begin(); path != files.end() && count >= kMaxJournals; ++path) {
        if (std::optional<JournalFile> oldest = JournalFile::takeOver(*path)) {
            oldest->remove();
            --count;
        }
    }
}

} // namespace

fs::path journalFolder()
{
    const fs::path base = userFolder("XDG_STATE_HOME", fs::path(".local") / "state");
    return base.empty() ? base : base / "flopsmith" / "journal";
}

Result<JournalFile> JournalFile::create(const fs::path& folder, std::string_view lines)
{
    if (folder.empty()) {
        return Error{"there is no folder for a journal: HOME is not set"};
    }
    FLOPSMITH_RETURN_IF_ERROR(madeFolder(folder));
    removeOldest(folder);
    const std::string name = newName();
    const fs::path hidden = folder / (name + kNewSuffix);
    JournalFile journal;
    journal.m_path = folder / (name + kSuffix);
    journal.m_file = completeFile(hidden, lines);
    journal.m_size = lines.size();
    if (!journal.m_file.isOpen() || ::rename(hidden.c_str(), journal.m_path.c_str()) != 0) {
        const Error error = journalError(journal.m_path, "written");
        ::unlink(hidden.c_str());
        return error;
    }
    syncFolder(folder);
    return journal;
}

std::optional<JournalFile> JournalFile::takeOver(const fs::path& path)
{
    JournalFile journal;
    journal.m_path = path;
    journal.m_file = FileHandle(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    const int file = journal.m_file.descriptor();
    struct stat status = {};
    if (file < 0 || ::flock(file, LOCK_EX | LOCK_NB) != 0 || ::fstat(file, &status) != 0
        || !S_ISREG(status.st_mode)) {
        return std::nullopt;
    }
    if (!journal.isThere()) {
        return std::nullopt; // removed or exchanged before the lock was had
    }
    journal.m_size = static_cast<std::size_t>(status.st_size);
    return journal;
}

bool JournalFile::isThere() const
{
    return m_file.isNamed(m_path);
}

Result<std::string> JournalFile::text() const
{
    if (m_size > kMaxBytes) {
        return Error{m_path.string() + ": larger than 64 MiB"};
    }
    std::string text(m_size, '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t count = ::pread(
            m_file.descriptor(), text.data() + done, text.size() - done, static_cast<off_t>(done));
        if (count < 0 && errno != EINTR) {
            return journalError(m_path, "read");
        }
        if (count == 0) {
            break;
        }
        done += count < 0 ? 0 : static_cast<std::size_t>(count);
    }
    text.resize(done);
    return text;
}

Status JournalFile::append(std::string_view lines)
{
    const int file = m_file.descriptor();
    if (::lseek(file, static_cast<off_t>(m_size), SEEK_SET) < 0 || !m_file.write(lines)
        || ::fdatasync(file) != 0) {
        const Error error = journalError(m_path, "written");
        // If this fails too, a reader finds one damaged line, which the next one overwrites.
        [[maybe_unused]] const int cut = ::ftruncate(file, static_cast<off_t>(m_size));
        return error;
    }
    m_size += lines.size();
    return Done{};
}

Status JournalFile::replace(std::string_view lines)
{
    const fs::path hidden = m_path.string() + kNewSuffix;
    JournalFile renewed;
    renewed.m_path = m_path;
    renewed.m_file = completeFile(hidden, lines);
    renewed.m_size = lines.size();
    if (!renewed.m_file.isOpen() || ::rename(hidden.c_str(), m_path.c_str()) != 0) {
        const Error error = journalError(m_path, "written");
        ::unlink(hidden.c_str());
        return error;
    }
    syncFolder(m_path.parent_path());
    *this = std::move(renewed);
    return Done{};
}

void JournalFile::remove()
{
    ::unlink(m_path.c_str());
}

std::vector<AbandonedJournal> abandonedJournals(const fs::path& folder)
{
    std::vector<AbandonedJournal> abandoned;
    for (const fs::path& path : filesWith(folder, kSuffix)) {
        std::optional<JournalFile> file = JournalFile::takeOver(path);
        if (!file) {
            continue;
        }
        const Result<std::string> text = file->text();
        Result<JournalHistory> history =
            text ? parsedJournal(*text) : Result<JournalHistory>(text.error());
        const std::int64_t written = history ? history->last().at : writtenAt(path);
        abandoned.push_back({std::move(*file), written, std::move(history)});
    }
    std::stable_sort(
        abandoned.begin(),
        abandoned.end(),
        [](const AbandonedJournal& a, const AbandonedJournal& b) { return a.written > b.written; });
    return abandoned;
}

} // namespace flopsmith
