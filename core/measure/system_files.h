// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace flopsmith {

/// The whole text of a small file of /proc, /sys or /etc; nothing when it is empty or cannot be
/// read.
std::optional<std::string> smallFile(const std::filesystem::path& path);

/// The first line without surrounding blanks; nothing when the file or the line is missing.
std::optional<std::string> firstLine(const std::filesystem::path& path);

/// The value of the first line "key<separator>value", without blanks around it:
/// valueOf("MemTotal:  16 kB\n", "MemTotal", ':') is "16 kB".
std::optional<std::string> valueOf(std::string_view text, std::string_view key, char separator);

/// A decimal number at the front, with the kernel's unit if there is one: "16 kB" and "16K" are
/// 16384, "2M" is 2097152. Nothing for other text ("max") and for what 64 bits do not hold.
std::optional<std::int64_t> bytesOf(std::string_view text);

std::string_view trimmed(std::string_view text);

} // namespace flopsmith
