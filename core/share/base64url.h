// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace flopsmith {

/// Bytes as letters that stand in links and mails as they are: A-Z, a-z, 0-9, "-" and "_" (RFC 4648,
/// section 5, without padding).
std::string base64url(std::string_view bytes);

/// The bytes of such letters; of the last letter the bits that fill no byte are left out. Call it
/// with letters alone: see firstStranger().
std::string bytesOfBase64url(std::string_view letters);

/// Position of the first character that is none of these letters, or npos.
std::size_t firstStranger(std::string_view letters);

/// Letters of so many bytes.
constexpr std::size_t lettersOfBytes(std::size_t bytes)
{
    return (8 * bytes + 5) / 6;
}

} // namespace flopsmith
