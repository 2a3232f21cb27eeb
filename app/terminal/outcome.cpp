// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/outcome.h"

#include "core/base/printable.h"
#include "core/base/text_file.h"

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace flopsmith::app {
namespace {

void complain(const std::string& text)
{
    std::fprintf(stderr, "flopsmith: %s\n", printable(text).c_str());
}

Status printed(const std::string& text)
{
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (!written || std::fflush(stdout) != 0) {
        return Error{"standard output: cannot be written: "
                     + std::generic_category().message(errno)};
    }
    return Done{};
}

} // namespace

Outcome Outcome::wrote(const std::string& file)
{
    return success("wrote " + printable(file) + "\n");
}

void noteNow(const std::string& note)
{
    complain("note: " + note);
}

int delivered(const Outcome& outcome)
{
    if (outcome.code != ExitCode::success) {
        complain(outcome.text);
        return static_cast<int>(outcome.code);
    }
    const Status written = isStandardOutput(outcome.target)
        ? printed(outcome.text)
        : writeFile(outcome.target, outcome.text);
    if (!written) {
        complain(written.error().message);
        return static_cast<int>(ExitCode::badInput);
    }
    for (const std::string& note : outcome.notes) {
        noteNow(note);
    }
    return static_cast<int>(outcome.codeAfterwards);
}

} // namespace flopsmith::app
