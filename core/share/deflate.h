// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace flopsmith {

/// The text compressed (RFC 1951) with `similar` as its dictionary: common passages take some
/// bytes, however long they are.
std::string deflated(std::string_view text, std::string_view similar);

/// The reverse, with the same `similar` text. Nothing if the bytes are not exactly one complete
/// stream, or if the text has more than `maxBytes` bytes; it never takes much more memory than
/// that.
std::optional<std::string> inflated(std::string_view bytes,
                                    std::string_view similar,
                                    std::size_t maxBytes);

/// CRC-32, as zlib has it: finds every mistyped letter and nearly all other accidents.
std::uint32_t checksum(std::string_view bytes);

} // namespace flopsmith
