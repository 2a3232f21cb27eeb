// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace flopsmith {

/// Bytes as letters that are safe in links and mails: A-Z, a-z, 0-9, "-" and "_" (RFC 4648, section
/// 5, without padding).
std::string base64url(std::string_view bytes);

/// The bytes of such letters; surplus bits of the last letter are ignored. Only for valid letters:
/// see firstStranger().
std::string bytesOfBase64url(std::string_view letters);

/// Position of the first character that is not such a letter, or npos.
std::size_t firstStranger(std::string_view letters);

/// Letters of so many bytes.
constexpr std::size_t lettersOfBytes(std::size_t bytes)
{
    return (8 * bytes + 5) / 6;
}

} // namespace flopsmith
