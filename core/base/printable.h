// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Texts of strangers (names in files, what devices say of themselves) on their way to a person.
namespace flopsmith {

/// The text on one line that a terminal shows as it stands: control characters, line separators and
/// changes of the writing direction become blanks, bytes that are no UTF-8 become U+FFFD.
std::string printable(std::string_view text);

/// The same line by line.
std::string printableLines(std::string_view text);

/// Whether printable() would change nothing.
bool isPrintable(std::string_view text);

/// Bytes before the first one that is not UTF-8 (RFC 3629); the size of the text if all of it is.
std::size_t validUtf8Bytes(std::string_view text);

/// At most so many code points, with "…" in the middle of what is longer: the ends tell most.
std::string elided(std::string_view text, std::size_t maxPoints);

/// What an error repeats of its input: printable, and at most 200 code points of it.
std::string excerpt(std::string_view text);

} // namespace flopsmith
