// SPDX-License-Identifier: MIT
#include "core/base/temporary_file.h"
#include "core/base/text_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

// Writing text files.
namespace flopsmith {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxLinks = 40; // that Linux follows
constexpr int kReaderMilliseconds = 500; // for a reader that is about to open a named pipe
constexpr int kPipePause = 10;

Error unwritable(const std::string& path, int reason = errno)
{
    return {path + ": cannot be written: " + std::generic_category().message(reason)};
}

// The end of a chain of symbolic links, which need not exist yet.
Result<std::string> targetOf(const std::string& path)
{
    fs::path target = path;
    for (int links = 0; links <= kMaxLinks; ++links) {
        std::error_code isNoLink;
        const fs::path next = fs::read_symlink(target, isNoLink);
        if (isNoLink) {
            return target.string();
        }
        target = target.parent_path() / next; // an absolute one replaces the folder
    }
    return unwritable(path, ELOOP);
}

// Opening a named pipe blocks until there is a reader. Not open, with errno set, if none appears.
FileHandle openedInPlace(const std::string& path)
{
    int file = -1;
    for (int waited = 0; file < 0 && waited <= kReaderMilliseconds; waited += kPipePause) {
        file = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (file < 0 && errno != ENXIO) {
            return FileHandle();
        }
        if (file < 0) {
            ::poll(nullptr, 0, kPipePause);
        }
    }
    if (file < 0) {
        errno = ENXIO; // overwrites the errno of poll()
        return FileHandle();
    }
    ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);
    return FileHandle(file);
}

} // namespace

Result<NewFile> NewFile::create(const std::string& path)
{
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (fs::is_directory(status)) {
        return Error{path + ": cannot be written: this is a folder; name a file in it"};
    }
    NewFile file;
    file.m_path = path;
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        file.m_inPlace = openedInPlace(path);
        if (!file.m_inPlace.isOpen()) {
            return fs::is_fifo(status) && errno == ENXIO
                ? Error{path + ": cannot be written: this is a pipe, and nobody reads it"}
                : unwritable(path);
        }
        return file;
    }
    FLOPSMITH_TRY(const std::string target, targetOf(path));
    for (const auto kind : {TemporaryFile::Kind::nameless, TemporaryFile::Kind::named}) {
        if (!file.m_temporary) {
            file.m_temporary = TemporaryFile::create(target, kind);
        }
    }
    if (!file.m_temporary) {
        return unwritable(path);
    }
    return file;
}

NewFile::NewFile() = default;

NewFile::NewFile(NewFile&&) noexcept = default;

NewFile::~NewFile() = default;

Status NewFile::append(std::string_view text)
{
    FileHandle& file = m_temporary ? m_temporary->file() : m_inPlace;
    if (!file.write(text)) {
        return unwritable(m_path);
    }
    return Done{};
}

Status NewFile::commit()
{
    const bool written = m_temporary ? m_temporary->publish() : m_inPlace.close();
    const Status status = written ? Status(Done{}) : unwritable(m_path);
    m_temporary.reset();
    return status;
}

Status writeFile(const std::string& path, std::string_view text)
{
    FLOPSMITH_TRY(NewFile file, NewFile::create(path));
    FLOPSMITH_RETURN_IF_ERROR(file.append(text));
    return file.commit();
}

} // namespace flopsmith
