// SPDX-License-Identifier: MIT
#include "core/io/notes_json.h"

#include "core/json/json.h"

#include <algorithm>
#include <cstdint>

namespace flopsmith {
namespace {

constexpr const char* kNotesForm =
    R"(expected a list like [{"part": "ffn", "block": 0, "text": "wide"}], of at most 200 notes)";

Error badNote(const std::string& place, const std::string& reason)
{
    return {place + ": " + reason};
}

Status readNotePart(const Json& entry, const std::string& place, NotePart& part)
{
    const std::vector<std::string_view> names = notePartNames();
    const auto found = entry.contains("part") && entry["part"].is_string()
        ? std::find(names.begin(), names.end(), entry["part"].text())
        : names.end();
    if (found == names.end()) {
        std::string known;
        for (const std::string_view name : names) {
            known += (known.empty() ? "" : ", ") + std::string(name);
        }
        return badNote(place + ".part", "expected one of " + known);
    }
    part = static_cast<NotePart>(found - names.begin());
    return Done{};
}

Status readNotedBlock(const Json& entry, const std::string& place, NoteAnchor& anchor)
{
    if (!entry.contains("block")) {
        return isOfBlock(anchor.part)
            ? Status(badNote(place, "block is missing; it is the block's number, from 0"))
            : Status(Done{});
    }
    const Json& block = entry["block"];
    const bool isNumber = block.is_number_integer()
        && !(block.is_number_unsigned() && block.get<std::uint64_t>() > kMaxLayers)
        && block.get<std::int64_t>() >= 0;
    if (!isNumber) {
        return badNote(place + ".block",
                       "expected a whole number from 0 to " + std::to_string(kMaxLayers));
    }
    anchor.block = block.get<int>();
    return Done{};
}

Status readNoteText(const Json& entry, const std::string& place, std::string& text)
{
    if (!entry.contains("text") || !entry["text"].is_string()) {
        return badNote(place + ".text", "expected a text");
    }
    const std::string& written = entry["text"].text();
    if (const Status status = checkedNoteText(written); !status) {
        return badNote(place + ".text", status.error().message);
    }
    text = written;
    return Done{};
}

Result<Note> noteFromJson(const Json& entry, const std::string& place)
{
    Note note;
    Status read = readNotePart(entry, place, note.anchor.part);
    if (read) {
        read = readNotedBlock(entry, place, note.anchor);
    }
    if (read) {
        read = readNoteText(entry, place, note.text);
    }
    return read ? Result<Note>(std::move(note)) : read.error();
}

} // namespace

Json toJson(std::span<const Note> notes)
{
    Json list = Json::array();
    for (const Note& note : notes) {
        Json json;
        json["part"] = std::string(nameOf(note.anchor.part));
        if (isOfBlock(note.anchor.part)) {
            json["block"] = note.anchor.block;
        }
        json["text"] = note.text;
        list.push_back(std::move(json));
    }
    return list;
}

Result<std::vector<Note>> notesFromJson(const Json& json,
                                        const std::string& place,
                                        UnknownKeys& unknown)
{
    if (!json.is_array() || json.size() > kMaxNotes) {
        return badNote(place, kNotesForm);
    }
    std::vector<Note> notes;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::string here = place + "[" + std::to_string(i) + "]";
        if (!json[i].is_object()) {
            return badNote(here, kNotesForm);
        }
        collectUnknown(unknown, json[i], here, {"part", "block", "text"});
        Result<Note> note = noteFromJson(json[i], here);
        if (!note) {
            return note.error();
        }
        notes.push_back(std::move(*note));
    }
    return notes;
}

} // namespace flopsmith
