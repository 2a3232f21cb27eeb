// SPDX-License-Identifier: MIT
#include "core/base/file_handle.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace flopsmith {

bool FileHandle::write(std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(m_descriptor, text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            return false;
        }
        text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return true;
}

bool FileHandle::isNamed(const std::filesystem::path& path) const
{
    struct stat opened = {};
    struct stat named = {};
    return ::fstat(m_descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0
        && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

bool FileHandle::close()
{
    return !isOpen() || ::close(std::exchange(m_descriptor, -1)) == 0;
}

} // namespace flopsmith
