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

/// The file's text as UTF-8 without a byte order mark. Refused with a sentence that names the file:
/// folders, files that cannot be read or are larger than the limit, UTF-16, binary content, and a
/// named pipe that nobody writes into.
Result<std::string> textOfFile(const std::string& path);

/// The same judgement for bytes that came another way (a drop, the clipboard).
Result<std::string> textOfBytes(std::string bytes, const std::string& source);

/// A file that comes into being piece by piece and appears under its name only when it is complete:
/// until commit() whatever stood there is as it was, and without it nothing is left behind. Follows a
/// symbolic link to its target, which need not exist; writes straight into what is no regular file
/// (a pipe that somebody reads).
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
    std::unique_ptr<TemporaryFile> m_temporary; // none if it is written in place
    FileHandle m_inPlace;
};

/// Replaces or creates the file as a whole: the text goes to a new file beside it, which then takes
/// its name. On failure, a sentence, and whatever stood at `path` is as it was. Follows a symbolic
/// link to its target; writes straight into what is no regular file (a pipe, /dev/stdout). The new
/// file has the rights of the old one before it has any content.
Status writeFile(const std::string& path, std::string_view text);

} // namespace flopsmith
