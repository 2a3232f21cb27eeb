// SPDX-License-Identifier: MIT
#include "core/io/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

Error fileError(const std::string& path, const char* action)
{
    return {path + ": cannot be " + action + ": " + std::generic_category().message(errno)};
}

// Closes what it holds, also on the way out of an error.
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

    // close() reports write errors that came late (a full disk on a network folder).
    bool close()
    {
        const int number = m_number;
        m_number = -1;
        return ::close(number) == 0;
    }

private:
    int m_number;
};

bool writeAll(int file, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            return false;
        }
        text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return true;
}

Status writeInPlace(const std::string& path, std::string_view text)
{
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.isOpen() || !writeAll(file.number(), text) || !file.close()) {
        return fileError(path, "written");
    }
    return Done{};
}

// A file replaced keeps its rights; a new one gets those of any new file here.
bool keepRights(int file, const std::string& target)
{
    struct stat existing = {};
    return ::stat(target.c_str(), &existing) != 0 || ::fchmod(file, existing.st_mode & 07777U) == 0;
}

Status writeBeside(const std::string& target, const std::string& path, std::string_view text)
{
    static std::atomic<int> s_written{0};
    const std::string temporary =
        target + "." + std::to_string(::getpid()) + "-" + std::to_string(++s_written) + ".tmp";
    Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file.isOpen()) {
        return fileError(path, "written");
    }
    const bool written = writeAll(file.number(), text) && keepRights(file.number(), target)
        && ::fsync(file.number()) == 0 && file.close()
        && ::rename(temporary.c_str(), target.c_str()) == 0;
    if (!written) {
        const Error error = fileError(path, "written");
        ::unlink(temporary.c_str());
        return error;
    }
    return Done{};
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
        return Error{source + ": this is no text file; a model file is JSON text"};
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
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.isOpen()) {
        return fileError(path, "read");
    }
    std::string bytes;
    std::array<char, 65536> piece{};
    while (true) {
        const ssize_t count = ::read(file.number(), piece.data(), piece.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return fileError(path, "read");
        }
        if (count == 0) {
            return textOfBytes(std::move(bytes), path);
        }
        bytes.append(piece.data(), static_cast<std::size_t>(count));
        if (bytes.size() > kLargestTextFile) {
            return Error{path + ": larger than 16 MiB; a model file is a few KiB"};
        }
    }
}

Status writeFile(const std::string& path, std::string_view text)
{
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    if (fs::is_directory(status)) {
        return Error{path + ": cannot be written: this is a folder; name a file in it"};
    }
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        return writeInPlace(path, text);
    }
    const fs::path target = fs::exists(status) ? fs::canonical(path, failed) : fs::path(path);
    return writeBeside(failed && fs::exists(status) ? path : target.string(), path, text);
}

} // namespace flopsmith
