// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Makes untrusted text (names in files, what devices report about themselves) safe to show.
namespace flopsmith {

/// The text on one line, safe for a terminal: control characters, line separators and changes of
/// the writing direction become blanks, invalid UTF-8 becomes U+FFFD.
std::string printable(std::string_view text);

/// The same line by line.
std::string printableLines(std::string_view text);

/// Whether printable() would change nothing.
bool isPrintable(std::string_view text);

/// Bytes before the first one that is not UTF-8 (RFC 3629); the size of the text if all of it is.
std::size_t validUtf8Bytes(std::string_view text);

/// At most `maxPoints` code points: a longer text has "…" in the middle, because its ends matter
/// most.
std::string elided(std::string_view text, std::size_t maxPoints);

/// Input as an error quotes it: printable, and at most 200 code points.
std::string excerpt(std::string_view text);

} // namespace flopsmith
