// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_handle.h"
#include "core/base/result.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace flopsmith {

class TemporaryFile;

/// No model file is larger: 16 MiB.
inline constexpr std::size_t kLargestTextFile = std::size_t{16} << 20U;

/// The file's text as UTF-8 without a byte order mark. The Error names the file if it is a folder,
/// cannot be read, is larger than the limit, is UTF-16 or binary, or is a named pipe without a
/// writer.
Result<std::string> textOfFile(const std::string& path);

/// The same check for bytes from another source (a drop, the clipboard).
Result<std::string> textOfBytes(std::string bytes, const std::string& source);

/// A file that is written piece by piece and appears under its name only when it is complete: until
/// commit() an existing file stays as it is, and without commit() nothing remains. Follows a
/// symbolic link to its target, which need not exist; writes directly into anything but a regular
/// file (a pipe with a reader).
class NewFile
{
public:
    static Result<NewFile> create(const std::string& path);
    NewFile(NewFile&&) noexcept;
    NewFile& operator=(NewFile&&) = delete;
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile();

    Status append(std::string_view text);
    Status commit();

private:
    NewFile();

    std::string m_path; // as the person wrote it
    std::unique_ptr<TemporaryFile> m_temporary; // null if the file is written in place
    FileHandle m_inPlace;
};

/// Replaces or creates the file as a whole: the text goes to a new file beside it, which is then
/// renamed. On failure a sentence, and an existing file stays as it is. Follows a symbolic link to
/// its target; writes directly into anything but a regular file (a pipe, /dev/stdout). The new file
/// has the permissions of the old one before it has any content.
Status writeFile(const std::string& path, std::string_view text);

} // namespace flopsmith
