// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace flopsmith::test {

/// The length of a header as a file starts with it.
inline std::string lengthBytes(std::uint64_t length)
{
    std::string bytes;
    for (unsigned i = 0; i < 8; ++i) {
        bytes += static_cast<char>((length >> (8U * i)) & 0xffU);
    }
    return bytes;
}

/// A file of such a header and such data.
inline std::string safetensorsBytes(const std::string& header, const std::string& values = {})
{
    return lengthBytes(header.size()) + header + values;
}

inline std::span<const std::byte> asBytes(std::string_view text)
{
    return std::as_bytes(std::span(text));
}

} // namespace flopsmith::test
