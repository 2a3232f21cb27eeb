// SPDX-License-Identifier: MIT
#include "core/io/journal/open_file_mark.h"

#include "core/base/content_hash.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <system_error>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

fs::path markOf(const fs::path& folder, const fs::path& file)
{
    std::error_code failed;
    const fs::path same = fs::weakly_canonical(file, failed); // a link and its target are one file
    const std::string name = failed ? file.string() : same.string();
    return folder / (hashText(contentHash(name)) + ".open");
}

} // namespace

// All windows with the open file share the lock; a window that can get it exclusively is the only
// one.
OpenFileMark::OpenFileMark(const fs::path& folder, const fs::path& file)
    : m_path(markOf(folder, file))
{
    std::error_code failed;
    fs::create_directories(folder.parent_path(), failed);
    ::mkdir(folder.c_str(), 0700);
    constexpr int kAttempts = 10; // the name may be removed or locked by another window meanwhile
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        m_file =
            FileHandle(::open(m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
        if (!m_file.isOpen()) {
            return;
        }
        m_elsewhere = ::flock(m_file.descriptor(), LOCK_EX | LOCK_NB) != 0;
        if (::flock(m_file.descriptor(), LOCK_SH | LOCK_NB) == 0 && m_file.isNamed(m_path)) {
            return;
        }
        m_file.close();
    }
}

OpenFileMark::OpenFileMark(OpenFileMark&&) noexcept = default;

OpenFileMark& OpenFileMark::operator=(OpenFileMark&& other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_file, other.m_file);
    std::swap(m_elsewhere, other.m_elsewhere);
    return *this;
}

OpenFileMark::~OpenFileMark()
{
    if (m_file.isOpen() && ::flock(m_file.descriptor(), LOCK_EX | LOCK_NB) == 0
        && m_file.isNamed(m_path)) {
        ::unlink(m_path.c_str()); // the last one
    }
}

} // namespace flopsmith
