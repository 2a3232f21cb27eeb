// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/base/content_hash.h"
#include "core/io/journal/journal_entry.h"
#include "core/model/model_cost.h"
#include "tests/fuzz/target.h"

#include <algorithm>

namespace {

using namespace flopsmith;

// What is read can be costed, and its lines read back as the same entries.
void readAsJournal(std::string_view text)
{
    const Result<JournalHistory> history = parsedJournal(text);
    if (!history) {
        FLOPSMITH_CHECK(!history.error().message.empty());
        return;
    }
    std::string lines;
    for (const JournalEntry& entry : history->entries) {
        FLOPSMITH_CHECK(costTree(entry.project.scenario).size() > 0);
        lines += journalLine(entry);
    }
    const Result<JournalHistory> again = parsedJournal(lines);
    FLOPSMITH_CHECK(again.ok());
    FLOPSMITH_CHECK(again->damagedLines == 0 && again->entries == history->entries);
}

// No fuzzer guesses a hash: every line gets the right one in place of its own.
std::string withRightHashes(std::string_view text)
{
    constexpr std::size_t kHash = 17;
    std::string right;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view json = text.substr(0, end).substr(std::min(kHash, end));
        right += hashText(contentHash(json)) + " " + std::string(json) + "\n";
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return right;
}

} // namespace

// A journal from its bytes on, as the window reads what a crash left behind.
FLOPSMITH_FUZZ_READER(journal)
{
    readAsJournal(asText(data, size));
    readAsJournal(withRightHashes(asText(data, size)));
    return 0;
}
