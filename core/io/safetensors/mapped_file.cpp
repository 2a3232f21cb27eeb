// SPDX-License-Identifier: MIT
#include "core/io/safetensors/mapped_file.h"

#include "core/base/file_handle.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

namespace flopsmith {
namespace {

Error notMapped(const std::string& path)
{
    return {path + ": cannot be read: " + std::generic_category().message(errno)};
}

} // namespace

Result<MappedFile> MappedFile::open(const std::string& path)
{
    // A named pipe without a writer would block.
    const FileHandle file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat found = {};
    if (!file.isOpen() || ::fstat(file.descriptor(), &found) != 0) {
        return notMapped(path);
    }
    if (S_ISDIR(found.st_mode)) {
        return Error{path + ": this is a folder; name the file in it"};
    }
    if (!S_ISREG(found.st_mode)) {
        return Error{path + ": cannot be read: this is no regular file; copy its content to one"};
    }
    const auto size = static_cast<std::size_t>(found.st_size);
    if (size == 0) {
        return MappedFile({}); // an empty file cannot be mapped
    }
    void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
    if (mapped == MAP_FAILED) { // NOLINT: the system's own cast
        return notMapped(path);
    }
    return MappedFile(std::span(static_cast<const std::byte*>(mapped), size));
}

MappedFile::~MappedFile()
{
    if (!m_bytes.empty()) {
        ::munmap(const_cast<std::byte*>(m_bytes.data()),
                 m_bytes.size()); // NOLINT: mapped by this object
    }
}

} // namespace flopsmith
