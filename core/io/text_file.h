// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace flopsmith {

/// No model file is larger: 16 MiB.
inline constexpr std::size_t kLargestTextFile = std::size_t{16} << 20U;

/// The file's text as UTF-8 without a byte order mark. Refused with a sentence that names the file:
/// folders, files that cannot be read or are larger than the limit, UTF-16, and binary content.
Result<std::string> textOfFile(const std::string& path);

/// The same judgement for bytes that came another way (a drop, the clipboard).
Result<std::string> textOfBytes(std::string bytes, const std::string& source);

/// Replaces or creates the file as a whole: the text goes to a new file beside it, which then takes
/// its name. On failure, a sentence, and whatever stood at `path` is as it was. Follows a symbolic
/// link to its target; writes straight into what is no regular file (a pipe, /dev/stdout).
Status writeFile(const std::string& path, std::string_view text);

} // namespace flopsmith
