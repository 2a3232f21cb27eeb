// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_handle.h"

#include <filesystem>

namespace flopsmith {

/// Shows other windows of the same user that a file is open, while this object lives: a lock in a
/// folder of the program, which ends with the process in whatever way. Nothing is written beside
/// the file. Without a usable folder there is no mark.
class OpenFileMark
{
public:
    OpenFileMark() = default;
    OpenFileMark(const std::filesystem::path& folder, const std::filesystem::path& file);
    OpenFileMark(OpenFileMark&&) noexcept;
    OpenFileMark& operator=(OpenFileMark&& other) noexcept;
    OpenFileMark(const OpenFileMark&) = delete;
    OpenFileMark& operator=(const OpenFileMark&) = delete;
    ~OpenFileMark();

    /// Whether another window had the file open when this mark was made.
    bool wasOpenElsewhere() const { return m_elsewhere; }

private:
    std::filesystem::path m_path;
    FileHandle m_file;
    bool m_elsewhere = false;
};

} // namespace flopsmith
