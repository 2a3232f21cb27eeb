// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/json/unknown_keys.h"
#include "core/note/note.h"

#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// [{"part": "ffn", "block": 3, "text": "…"}]: blocks count from 0, parts outside of them have none.
Json toJson(std::span<const Note> notes);

/// The reverse. The Error names the entry and what is wrong with its form; whether the model has what
/// they stand at says checked(). Keys that are not known are collected.
Result<std::vector<Note>> notesFromJson(const Json& json,
                                        const std::string& place,
                                        UnknownKeys& unknown);

} // namespace flopsmith
