// SPDX-License-Identifier: MIT
#pragma once

#include "core/json/json.h"

#include <optional>
#include <string>

namespace flopsmith {

// Recognises files that people pass instead of a design. Each function says in one sentence what
// `source` is and what to open instead, or returns nothing if it does not recognise it.

/// A name that is not a file: the name of a model on a hub.
std::optional<std::string> otherName(const std::string& source);

/// Recognises a file by its first bytes: weights in any of the usual formats.
std::optional<std::string> otherFile(const std::string& source);

/// JSON files beside a config.json: of an adapter, a tokenizer, an index of weights.
std::optional<std::string> otherJson(const Json& json, const std::string& source);

} // namespace flopsmith
