// SPDX-License-Identifier: MIT
#include "core/base/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

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

// A file replaced keeps its rights; a new one gets those of any new file here.
bool keepRights(int file, const std::string& target)
{
    struct stat existing = {};
    return ::stat(target.c_str(), &existing) != 0 || ::fchmod(file, existing.st_mode & 07777U) == 0;
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

Result<NewFile> NewFile::create(const std::string& path)
{
    static std::atomic<int> written{0};
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    if (fs::is_directory(status)) {
        return Error{path + ": cannot be written: this is a folder; name a file in it"};
    }
    NewFile file;
    file.m_path = path;
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        file.m_file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    } else {
        const fs::path target = fs::exists(status) ? fs::canonical(path, failed) : fs::path(path);
        file.m_target = failed && fs::exists(status) ? path : target.string();
        file.m_temporary = file.m_target + "." + std::to_string(::getpid()) + "-"
            + std::to_string(++written) + ".tmp";
        file.m_file =
            ::open(file.m_temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (file.m_file < 0) {
        const Error error = fileError(path, "written");
        file.m_temporary.clear(); // it does not exist, or is not ours
        return error;
    }
    return file;
}

NewFile::NewFile(NewFile&& other) noexcept
    : m_path(std::move(other.m_path))
    , m_target(std::move(other.m_target))
    , m_temporary(std::exchange(other.m_temporary, {}))
    , m_file(std::exchange(other.m_file, -1))
{}

NewFile::~NewFile()
{
    if (m_file >= 0) {
        ::close(m_file);
    }
    if (!m_temporary.empty()) {
        ::unlink(m_temporary.c_str());
    }
}

Status NewFile::append(std::string_view text)
{
    if (!writeAll(m_file, text)) {
        return fileError(m_path, "written");
    }
    return Done{};
}

Status NewFile::commit()
{
    const bool inPlace = m_temporary.empty();
    bool written = inPlace || (keepRights(m_file, m_target) && ::fsync(m_file) == 0);
    // close() reports write errors that came late (a full disk on a network folder).
    written = ::close(std::exchange(m_file, -1)) == 0 && written;
    if (!inPlace) {
        written = written && ::rename(m_temporary.c_str(), m_target.c_str()) == 0;
    }
    if (!written) {
        return fileError(m_path, "written"); // the destructor removes what there is of it
    }
    m_temporary.clear();
    return Done{};
}

Status writeFile(const std::string& path, std::string_view text)
{
    Result<NewFile> file = NewFile::create(path);
    if (!file) {
        return file.error();
    }
    if (const Status appended = file->append(text); !appended) {
        return appended;
    }
    return file->commit();
}

} // namespace flopsmith
