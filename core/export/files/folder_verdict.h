// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

// The check of an exported folder by its own script, whoever runs it.
namespace flopsmith {

/// The result of the check.
struct FolderVerdict
{
    enum class Kind {
        equal,
        different,
        notRun, ///< nothing was compared
    };

    Kind kind = Kind::notRun;
    std::string python; ///< the program that ran it, or would have
    std::string text; ///< the output of the script, or why nothing was compared

    bool operator==(const FolderVerdict&) const = default;
};

/// The verdict of a script that ended: equal or different only if the script printed that.
FolderVerdict verdictOf(const std::string& python,
                        int exitCode,
                        const std::string& output,
                        const std::string& errors);

/// The Python named by FLOPSMITH_PYTHON, otherwise python3.
std::string checkingPython();

/// How its environment differs, as NAME=VALUE: the folder stays as it was written, and a Δ is
/// printed whatever the locale.
std::vector<std::string> checkingEnvironment();

/// "Checked here by python3: outputs: … equal", "Not checked here: python3 has no torch".
std::string verdictSentence(const FolderVerdict& verdict);

/// The line in an exported README about the check, before it has run.
inline constexpr std::string_view kNotCheckedYet = "Not checked here: check.py was not run.";

/// Replaces that line, if it exists, in the folder's README.md by the sentence.
Status noteVerdict(const std::string& folder, const FolderVerdict& verdict);

} // namespace flopsmith
