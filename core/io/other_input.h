// SPDX-License-Identifier: MIT
#pragma once

#include "core/json/json.h"

#include <optional>
#include <string>

namespace flopsmith {

// What people give in place of a design. Each function says in one sentence what `source` is and what
// would open instead, or nothing if it does not know it.

/// A name that is no file: one of a model on a hub.
std::optional<std::string> otherName(const std::string& source);

/// A file, by its first bytes: weights in any of the usual formats.
std::optional<std::string> otherFile(const std::string& source);

/// JSON of the files that lie beside a config.json: of an adapter, a tokenizer, an index of weights.
std::optional<std::string> otherJson(const Json& json, const std::string& source);

} // namespace flopsmith
