// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/journal/journal_entry.h"
#include "core/model/presets.h"

#include <initializer_list>
#include <optional>
#include <string>

namespace flopsmith::test {

/// The example with a sequence of `100 + position` tokens.
inline JournalEntry entryAt(int position, std::optional<int> clean = 0)
{
    JournalEntry entry{.at = 1'700'000'000 + position,
                       .position = position,
                       .clean = clean,
                       .step = position == 0 ? "" : "step " + std::to_string(position),
                       .file = "/home/ada/Dokumente/größer.flopsmith",
                       .fileHash = "0123456789abcdef"};
    entry.project.scenario.model = *presetNamed("tiny");
    entry.project.scenario.workload.sequence = 100 + position;
    return entry;
}

inline std::string linesOf(std::initializer_list<int> positions, std::optional<int> clean = 0)
{
    std::string lines;
    for (const int position : positions) {
        lines += journalLine(entryAt(position, clean));
    }
    return lines;
}

} // namespace flopsmith::test
