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

/// [{"part": "ffn", "block": 3, "text": "…"}]: blocks count from 0, notes on parts outside of them
/// have no block.
Json toJson(std::span<const Note> notes);

/// The reverse. The Error names the entry and what is wrong with its form; checked() tests whether
/// the model has the noted part. Unknown keys are collected.
Result<std::vector<Note>> notesFromJson(const Json& json,
                                        const std::string& place,
                                        UnknownKeys& unknown);

} // namespace flopsmith
