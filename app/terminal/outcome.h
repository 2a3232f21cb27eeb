// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace flopsmith::app {

/// Standard output instead of a file: an empty target, or "-" by convention.
inline bool isStandardOutput(const std::string& target)
{
    return target.empty() || target == "-";
}

/// Exit codes.
enum class ExitCode {
    success = 0,
    badInput = 1,
    wrongUsage = 2,
    deviceUnavailable = 3,
    diverged = 4
};

/// The complete result of a command. It is written only when complete, so that no reader finds half
/// of it.
struct Outcome
{
    ExitCode code = ExitCode::success;
    std::string text{}; ///< on success the text to print or to write; otherwise one sentence
    std::string target{}; ///< file that receives the text; see isStandardOutput()
    std::vector<std::string> notes{}; ///< for standard error, one line each; also on success
    /// For a success whose input was partly bad: the exit code after the output.
    ExitCode codeAfterwards = ExitCode::success;

    static Outcome success(std::string text) { return {.text = std::move(text)}; }

    /// "wrote x.svg".
    static Outcome wrote(const std::string& file);

    static Outcome failure(ExitCode code, std::string sentence)
    {
        return {.code = code, .text = std::move(sentence)};
    }

    static Outcome badInput(const Error& error)
    {
        return failure(ExitCode::badInput, error.message);
    }
};

/// A command with its options bound, ready to run.
using Command = std::function<Outcome()>;

/// Prints a note on standard error immediately, while a command is still running.
void noteNow(const std::string& note);

/// Prints or writes the outcome and returns the exit code: on failure exactly one line on standard
/// error, after the notes of noteNow(), and nothing on standard output.
int delivered(const Outcome& outcome);

} // namespace flopsmith::app
