// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace flopsmith {

/// A memory-mapped file: pages that are not read take no memory. The file must not be shortened
/// meanwhile; replacing it by another of the same name is harmless.
class MappedFile
{
public:
    /// An Error for folders, pipes and devices.
    static Result<MappedFile> open(const std::string& path);
    MappedFile(MappedFile&& other) noexcept
        : m_bytes(std::exchange(other.m_bytes, {}))
    {}
    MappedFile& operator=(MappedFile&& other) noexcept
    {
        std::swap(m_bytes, other.m_bytes);
        return *this;
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    std::span<const std::byte> bytes() const { return m_bytes; }

private:
    explicit MappedFile(std::span<const std::byte> bytes)
        : m_bytes(bytes)
    {}

    std::span<const std::byte> m_bytes;
};

} // namespace flopsmith
