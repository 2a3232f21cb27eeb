// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace flopsmith {

inline constexpr std::size_t kLongestShareCode = 65'536; ///< in characters

/// The content of a share code: compressed bytes, and the preset that is their dictionary.
struct Envelope
{
    std::string preset{}; ///< its id, at most 255 bytes; empty: none
    std::uint32_t presetHash = 0; ///< of the preset's text, 24 bits; 0 without a preset
    std::string bytes{};

    bool operator==(const Envelope&) const = default;
};

/// "FS1." and the letters of: length and id of the preset, its hash in 3 bytes, the number of
/// compressed bytes in 2, the compressed bytes, and a CRC-32 of everything before. An Error if it
/// would be too long.
Result<std::string> sealed(const Envelope& envelope);

/// The reverse, for a text that begins with "FS" and a number. The Error says in one sentence what
/// is wrong: another version, an invalid character, truncated, a wrong checksum.
Result<Envelope> openedEnvelope(std::string_view code);

/// How an error names a code: its beginning and its end.
std::string shortCode(std::string_view code);

} // namespace flopsmith
