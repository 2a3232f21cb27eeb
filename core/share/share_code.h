// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/project/project_file.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// The longest text that a share code may unfold to, in bytes.
inline constexpr std::size_t kLongestSharedText = std::size_t{256} << 10U;

/// What a share code opens.
struct SharedDesign
{
    Project project{}; ///< without a view
    std::string page{}; ///< the page of the window to show, or empty
    std::string preset{}; ///< the id of the preset that it changes, or empty
    std::vector<std::string> notes{}; ///< unknown keys, repaired numbers, rules that do not hold

    bool operator==(const SharedDesign&) const = default;
};

/// A design as a short text, "FS1.…": what differs from the preset that is nearest to it, with a
/// checksum. Scenario, lens, ties, locks, those of a class and kept keys travel along, and the page to show. The Error
/// says that the design is too large or cannot be read back, or that the page is no name of one.
Result<std::string> shareCode(const Project& project, std::string_view page = {});

/// The same as a link that the desktop opens with Flopsmith: "flopsmith:FS1.…".
std::string shareLink(std::string_view code);

/// Whether the text is meant to be a share code of some version or a link with one, blanks around it
/// left aside.
bool isShareCode(std::string_view text);

/// Reads a code or a link; blanks and line breaks in it, which mails add, are left out. Refuses in
/// one sentence what is mistyped, cut short, of another version, too large, or made against a preset
/// that this version does not have or has otherwise.
Result<SharedDesign> parsedShareCode(std::string_view text, Illegal illegal = Illegal::refuse);

} // namespace flopsmith
