// SPDX-License-Identifier: MIT
#include "core/io/project/notes_json.h"

#include "core/json/object_reader.h"

namespace flopsmith {
namespace {

constexpr const char* kNotesForm =
    R"(expected a list like [{"part": "ffn", "block": 0, "text": "wide"}], of at most 200 notes)";

Note noteOf(ObjectReader read)
{
    Note note;
    note.anchor.part = read.oneOf<NotePart>("part", notePartNames());
    if (read.has("block")) {
        note.anchor.block = static_cast<int>(read.whole("block", 0, kMaxLayers));
    } else if (isOfBlock(note.anchor.part)) {
        read.fail("block is missing; it is the block's number, from 0");
    }
    note.text = read.text("text");
    if (const Status status = checkedNoteText(note.text); !status) {
        read.failAt("text", status.error().message);
    }
    return note;
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
        return json::errorAt(place, kNotesForm);
    }
    std::vector<Note> notes;
    for (const Json& each : json) {
        const std::string here = json::elementPlace(place, notes.size());
        if (!each.is_object()) {
            return json::errorAt(here, kNotesForm);
        }
        collectUnknown(unknown, each, here, {"part", "block", "text"});
        ObjectReader read(each, here);
        notes.push_back(noteOf(read));
        if (!read.ok()) {
            return read.status().error();
        }
    }
    return notes;
}

} // namespace flopsmith
