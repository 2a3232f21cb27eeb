// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/project/project_file.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// The longest text in a share code after decompression, in bytes.
inline constexpr std::size_t kLongestSharedText = std::size_t{256} << 10U;

/// The content of a share code.
struct SharedDesign
{
    Project project{}; ///< without a view
    std::string page{}; ///< the page of the window to show, or empty
    std::string preset{}; ///< the id of the preset that it is based on, or empty
    std::vector<std::string> notes{}; ///< unknown keys, repaired numbers, rules that do not hold

    bool operator==(const SharedDesign&) const = default;
};

/// A design as a short text, "FS1.…": the difference from the nearest preset, with a checksum. It
/// contains scenario, lens, ties, locks, class locks, unknown keys and the page to show. An Error
/// if the design is too large or cannot be read back, or if there is no such page.
Result<std::string> shareCode(const Project& project, std::string_view page = {});

/// The same as a link that the desktop opens with Flopsmith: "flopsmith:FS1.…".
std::string shareLink(std::string_view code);

/// Whether the text is meant to be a share code of some version or a link with one, blanks around it
/// left aside.
bool isShareCode(std::string_view text);

/// Reads a code or a link; blanks and line breaks, which mails add, are ignored. An Error, in one
/// sentence, for a code that is mistyped, truncated, of another version, too large, or based on a
/// preset that this version lacks or has changed.
Result<SharedDesign> parsedShareCode(std::string_view text, Illegal illegal = Illegal::refuse);

} // namespace flopsmith
