// SPDX-License-Identifier: MIT
#include "core/base/temporary_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <utility>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = ".flopsmith-";
constexpr const char* kSuffix = ".tmp";
constexpr std::time_t kFreshSeconds = 60; // younger files may not be locked yet
constexpr unsigned kPrivate = 0600;
constexpr unsigned kOfAnyNewFile = 0666; // minus the umask
constexpr unsigned kRights = 07777;

// Short for every target: a name has at most 255 bytes.
std::string newName(const std::string& folder)
{
    static std::atomic<unsigned> made{0};
    return folder + kPrefix + std::to_string(::getpid()) + "-" + std::to_string(++made) + kSuffix;
}

bool isTemporaryName(const std::string& name)
{
    const std::string suffix = kSuffix;
    return name.starts_with(kPrefix) && name.ends_with(suffix);
}

// Removes a file that a killed program left: it is no longer locked.
void removeIfAbandoned(const std::string& path)
{
    const FileHandle file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat found = {};
    const bool old = ::fstat(file.descriptor(), &found) == 0 && S_ISREG(found.st_mode)
        && std::time(nullptr) - found.st_mtime > kFreshSeconds;
    if (old && ::flock(file.descriptor(), LOCK_EX | LOCK_NB) == 0) {
        ::unlink(path.c_str());
    }
}

void removeAbandoned(const std::string& folder)
{
    std::error_code failed;
    for (fs::directory_iterator each(folder.empty() ? "." : folder, failed), end;
         !failed && each != end;
         each.increment(failed)) {
        if (isTemporaryName(each->path().filename().string())) {
            removeIfAbandoned(each->path().string());
        }
    }
}

std::string folderOf(const std::string& path)
{
    return path.substr(0, path.rfind('/') + 1); // npos + 1 is 0
}

} // namespace

TemporaryFile::TemporaryFile(const std::string& target)
    : m_target(target)
    , m_folder(folderOf(target))
{}

std::unique_ptr<TemporaryFile> TemporaryFile::create(const std::string& target, Kind kind)
{
    std::unique_ptr<TemporaryFile> file(new TemporaryFile(target)); // NOLINT: private constructor
    struct stat existing = {};
    const bool replaces = ::stat(target.c_str(), &existing) == 0;
    // The file stays private until it has the permissions of the file that it replaces.
    const unsigned mode = replaces ? kPrivate : kOfAnyNewFile;
    if (!(kind == Kind::nameless ? file->openNameless(mode) : file->openNamed(mode))) {
        return nullptr;
    }
    struct stat made = {};
    if (replaces && ::fstat(file->m_file.descriptor(), &made) == 0
        && (made.st_mode & kRights) != (existing.st_mode & kRights)
        && ::fchmod(file->m_file.descriptor(), existing.st_mode & kRights) != 0) {
        return nullptr;
    }
    return file;
}

TemporaryFile::~TemporaryFile()
{
    const int before = errno; // of the original failure, which the caller reports
    if (!m_name.empty()) {
        ::unlink(m_name.c_str());
    }
    m_file.close();
    errno = before;
}

bool TemporaryFile::openNameless(unsigned mode)
{
    const std::string folder = m_folder.empty() ? "." : m_folder;
    // Its name is given through /proc.
    m_file = FileHandle(::access("/proc/self/fd", X_OK) == 0
                            ? ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode)
                            : -1);
    return m_file.isOpen();
}

bool TemporaryFile::openNamed(unsigned mode)
{
    removeAbandoned(m_folder);
    std::string name;
    do {
        name = newName(m_folder);
        m_file = FileHandle(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    } while (!m_file.isOpen() && errno == EEXIST);
    if (!m_file.isOpen()) {
        return false;
    }
    m_name = std::move(name);
    // Where the file system has no locks, removeIfAbandoned() leaves the file alone too.
    (void)::flock(m_file.descriptor(), LOCK_EX | LOCK_NB);
    return true;
}

bool TemporaryFile::publish()
{
    return ::fsync(m_file.descriptor()) == 0
        && (m_name.empty() ? publishNameless() : publishNamed());
}

bool TemporaryFile::publishNameless()
{
    const std::string self = "/proc/self/fd/" + std::to_string(m_file.descriptor());
    const auto link = [&self](const std::string& name) {
        return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    };
    if (link(m_target)) {
        return true;
    }
    std::string name; // linking does not replace a file, only renaming does
    bool linked = false;
    while (!linked && errno == EEXIST) {
        name = newName(m_folder);
        linked = link(name);
    }
    if (!linked) {
        return false;
    }
    m_name = std::move(name);
    if (::rename(m_name.c_str(), m_target.c_str()) != 0) {
        return false;
    }
    m_name.clear();
    return true;
}

bool TemporaryFile::publishNamed()
{
    // close() reports write errors that came late (a full disk on a network folder).
    if (!m_file.close() || ::rename(m_name.c_str(), m_target.c_str()) != 0) {
        return false;
    }
    m_name.clear();
    return true;
}

} // namespace flopsmith
