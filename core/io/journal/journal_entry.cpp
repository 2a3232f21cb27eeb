// SPDX-License-Identifier: MIT
#include "core/io/journal/journal_entry.h"

#include "core/base/content_hash.h"
#include "core/json/json_text.h"
#include "core/json/object_reader.h"
#include "core/json/spec_json.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>

namespace flopsmith {
namespace {

constexpr std::size_t kHashDigits = 16;
const char* const kSource = "journal";

Error damaged(const std::string& what)
{
    return {"journal: " + what};
}

Status checkJournalFormat(const Json& json)
{
    const Json* found = json.find("flopsmith_journal");
    if (!json.is_object() || found == nullptr || !found->is_number_integer()
        || found->get<std::int64_t>() < 1) {
        return damaged("no line of a journal");
    }
    if (found->get<std::int64_t>() > kJournalFormat) {
        return damaged("format " + jsonText(*found) + ", this program reads up to "
                       + std::to_string(kJournalFormat) + "; start a newer Flopsmith");
    }
    return Done{};
}

JournalEntry entryOf(ObjectReader& read)
{
    constexpr int kMaxSteps = std::numeric_limits<int>::max();
    JournalEntry entry;
    entry.at = read.whole("at", 0, std::numeric_limits<std::int64_t>::max());
    entry.position = static_cast<int>(read.whole("position", 0, kMaxSteps));
    if (read.has("clean")) {
        entry.clean = static_cast<int>(read.whole("clean", 0, kMaxSteps));
    }
    entry.step = read.text("step");
    entry.file = read.text("file");
    entry.fileHash = read.text("file_hash");
    if (const Json* project = read.required("project")) {
        entry.project = read.valueOr(projectFromJson(*project, kSource));
    }
    return entry;
}

// An entry and the number of its line.
struct Placed
{
    std::size_t line;
    JournalEntry entry;
};

// Backwards from the last entry: each position once, in its last version, and always in an earlier
// line than the step after it. The history begins after a missing step.
std::vector<JournalEntry> stepsUpTo(int last, std::map<int, Placed>& placed)
{
    std::vector<JournalEntry> entries;
    std::size_t line = std::numeric_limits<std::size_t>::max();
    for (int position = last;; --position) {
        const auto found = placed.find(position);
        if (found == placed.end() || found->second.line >= line) {
            break;
        }
        line = found->second.line;
        entries.push_back(std::move(found->second.entry));
    }
    std::reverse(entries.begin(), entries.end());
    return entries;
}

} // namespace

std::string journalLine(const JournalEntry& entry)
{
    Json json;
    json["flopsmith_journal"] = kJournalFormat;
    json["at"] = entry.at;
    json["position"] = entry.position;
    if (entry.clean) {
        json["clean"] = *entry.clean;
    }
    json["step"] = entry.step;
    json["file"] = entry.file;
    json["file_hash"] = entry.fileHash;
    json["project"] = ownJson(projectText(entry.project));
    const std::string text = jsonText(json);
    return hashText(contentHash(text)) + " " + text + "\n";
}

Result<JournalEntry> parsedJournalLine(std::string_view line)
{
    if (line.size() <= kHashDigits + 1 || line[kHashDigits] != ' ') {
        return damaged("no line of a journal");
    }
    const std::string_view text = line.substr(kHashDigits + 1);
    if (hashText(contentHash(text)) != line.substr(0, kHashDigits)) {
        return damaged("the line is damaged");
    }
    FLOPSMITH_TRY(const Json json, parsedJson(text, kSource));
    FLOPSMITH_RETURN_IF_ERROR(checkJournalFormat(json));
    ObjectReader read(json, std::string(kSource) + ": ");
    return read.judged(entryOf(read));
}

int JournalHistory::unsavedSteps() const
{
    return std::abs(last().position - last().clean.value_or(0));
}

Result<JournalHistory> parsedJournal(std::string_view text)
{
    JournalHistory history;
    std::map<int, Placed> placed;
    int last = 0;
    Error problem = damaged("it is empty");
    for (std::size_t line = 0; !text.empty(); ++line) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        Result<JournalEntry> entry = parsedJournalLine(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!entry) {
            problem = entry.error();
            ++history.damagedLines;
            continue;
        }
        last = entry->position;
        placed.insert_or_assign(last, Placed{line, std::move(*entry)});
    }
    if (placed.empty()) {
        return problem;
    }
    history.entries = stepsUpTo(last, placed);
    return history;
}

std::string shortenedJournal(const JournalHistory& history, std::size_t bytes)
{
    std::vector<std::string> lines;
    std::size_t total = 0;
    for (auto entry = history.entries.rbegin(); entry != history.entries.rend(); ++entry) {
        std::string line = journalLine(*entry);
        total += line.size();
        if (total > bytes && !lines.empty()) {
            break;
        }
        lines.push_back(std::move(line));
    }
    std::string text;
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        text += *line;
    }
    return text;
}

} // namespace flopsmith
