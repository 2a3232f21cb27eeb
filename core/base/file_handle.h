// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

namespace flopsmith {

/// Owns a file descriptor.
class FileHandle
{
public:
    FileHandle() = default;
    explicit FileHandle(int descriptor)
        : m_descriptor(descriptor)
    {}
    ~FileHandle() { close(); }
    FileHandle(FileHandle&& other) noexcept
        : m_descriptor(std::exchange(other.m_descriptor, -1))
    {}
    FileHandle& operator=(FileHandle&& other) noexcept
    {
        std::swap(m_descriptor, other.m_descriptor);
        return *this;
    }

    int descriptor() const { return m_descriptor; }
    bool isOpen() const { return m_descriptor >= 0; }

    /// Appends all of the text. False, with errno set, on failure.
    bool write(std::string_view text);

    /// Whether the path names this same file.
    bool isNamed(const std::filesystem::path& path) const;

    /// False, with errno set, if written data has not reached the file.
    bool close();

private:
    int m_descriptor = -1;
};

} // namespace flopsmith
