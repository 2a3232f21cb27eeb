// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace flopsmith {

/// FNV-1a, 64 bits: tells whether content is the same as before. It finds accidents, not attacks.
constexpr std::uint64_t contentHash(std::string_view content)
{
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : content) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    return hash;
}

/// 16 hexadecimal digits.
inline std::string hashText(std::uint64_t hash)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text(16, '0');
    for (std::size_t i = text.size(); i-- > 0; hash >>= 4U) {
        text[i] = kDigits[hash & 0xFU];
    }
    return text;
}

} // namespace flopsmith
