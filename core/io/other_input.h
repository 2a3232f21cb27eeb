// SPDX-License-Identifier: MIT
#pragma once

#include "core/json/json.h"

#include <optional>
#include <string>

namespace flopsmith {

// Recognises files that people pass instead of a design. Each function says in one sentence what
// `source` is and what to open instead, or returns nothing if it does not recognise it.

/// A name that is not a file: the name of a model on a hub, an address on the web.
std::optional<std::string> otherName(const std::string& source);

/// Recognises a file by its first bytes: weights in any of the usual formats, images, documents,
/// archives, web pages, text that is no JSON.
std::optional<std::string> otherFile(const std::string& source);

/// What a folder without a config.json is: of weights, or one with a model in a folder inside.
std::string otherFolder(const std::string& folder);

/// JSON files beside a config.json: of an adapter, a tokenizer, an index of weights.
std::optional<std::string> otherJson(const Json& json, const std::string& source);

} // namespace flopsmith
