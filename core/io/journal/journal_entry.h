// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/project/project_file.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// The version of the journal's lines that this program writes, and the newest that it reads.
inline constexpr int kJournalFormat = 1;

/// A document as it was after one of its steps.
struct JournalEntry
{
    std::int64_t at = 0; ///< seconds since 1970
    int position = 0; ///< in the undo history; 0 is where it began
    std::optional<int> clean{}; ///< the position at which the document equals its file
    std::string step{}; ///< description of the step: "Set d_model"; empty where the history begins
    std::string file{}; ///< the document's file; empty without one
    std::string fileHash{}; ///< of the file's content when it was last read or written
    Project project{};

    bool operator==(const JournalEntry&) const = default;
};

/// One line with its line feed: a hash of the rest, a blank, and JSON that does not depend on other
/// lines. A line that a crash truncated is recognised, and the lines before it remain readable.
std::string journalLine(const JournalEntry& entry);

/// An Error, in one sentence, for damaged lines, newer formats and impossible models.
Result<JournalEntry> parsedJournalLine(std::string_view line);

/// The content of a journal: the last complete entry, and before it the steps that led there, as
/// far back as none is missing.
struct JournalHistory
{
    std::vector<JournalEntry> entries{}; ///< never empty; positions follow one another
    std::size_t damagedLines = 0;

    const JournalEntry& last() const { return entries.back(); }

    /// How many steps lie between the file and the last entry.
    int unsavedSteps() const;
};

/// Reads a whole journal, skipping damaged lines; an Error without a complete line.
Result<JournalHistory> parsedJournal(std::string_view text);

/// The history's newest entries as lines, at most `bytes` but always the last one: the replacement
/// for a journal that has grown too long.
std::string shortenedJournal(const JournalHistory& history, std::size_t bytes);

} // namespace flopsmith
