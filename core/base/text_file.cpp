// SPDX-License-Identifier: MIT
#include "core/base/text_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

// For a program that is about to open a named pipe at its other end.
constexpr int kWriterMilliseconds = 500;

Error unreadable(const std::string& path)
{
    return {path + ": cannot be read: " + std::generic_category().message(errno)};
}

// Closes the file when it leaves scope, also after an error.
class Descriptor
{
public:
    explicit Descriptor(int number)
        : m_number(number)
    {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (m_number >= 0) {
            ::close(m_number);
        }
    }

    int number() const { return m_number; }
    bool isOpen() const { return m_number >= 0; }

private:
    int m_number;
};

bool isPipe(int file)
{
    struct stat opened = {};
    return ::fstat(file, &opened) == 0 && S_ISFIFO(opened.st_mode);
}

// Bytes read: 0 at the end, -1 with errno set on failure. Waits where it would block.
ssize_t nextPiece(int file, std::span<char> piece)
{
    for (;;) {
        const ssize_t count = ::read(file, piece.data(), piece.size());
        if (count < 0 && errno == EAGAIN) {
            ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);
        } else if (count >= 0 || errno != EINTR) {
            return count;
        }
    }
}

// The same, for the first bytes; 0 from a pipe means that no writer opened it within a moment.
ssize_t firstPiece(int file, std::span<char> piece)
{
    const ssize_t count = nextPiece(file, piece);
    if (count != 0 || !isPipe(file)) {
        return count;
    }
    pollfd pipe{.fd = file, .events = POLLIN, .revents = 0};
    ::poll(&pipe, 1, kWriterMilliseconds);
    return nextPiece(file, piece);
}

bool startsWith(std::string_view text, std::string_view start)
{
    return text.substr(0, start.size()) == start;
}

} // namespace

Result<std::string> textOfBytes(std::string bytes, const std::string& source)
{
    using namespace std::string_view_literals;
    if (startsWith(bytes, "\xFF\xFE"sv) || startsWith(bytes, "\xFE\xFF"sv)) {
        return Error{source + ": the text is UTF-16; save it as UTF-8"};
    }
    if (bytes.find('\0') != std::string::npos) {
        return Error{source + ": this is not a text file: it has bytes of value 0"};
    }
    if (startsWith(bytes, "\xEF\xBB\xBF"sv)) {
        bytes.erase(0, 3);
    }
    return bytes;
}

Result<std::string> textOfFile(const std::string& path)
{
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        return Error{path + ": this is a folder; name the file in it"};
    }
    // A named pipe without a writer would block here.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!file.isOpen()) {
        return unreadable(path);
    }
    std::string bytes;
    std::array<char, 65536> piece{};
    ssize_t count = firstPiece(file.number(), piece);
    if (count == 0 && isPipe(file.number())) {
        return Error{path + ": this is a pipe, and nobody writes into it"};
    }
    for (; count > 0; count = nextPiece(file.number(), piece)) {
        bytes.append(piece.data(), static_cast<std::size_t>(count));
        if (bytes.size() > kLargestTextFile) {
            return Error{path + ": larger than 16 MiB; a model file is a few KiB"};
        }
    }
    return count < 0 ? unreadable(path) : textOfBytes(std::move(bytes), path);
}

} // namespace flopsmith
