// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/json/unknown_keys.h"
#include "core/model/model.h"

#include <string>
#include <vector>

namespace flopsmith {

/// A key of a project file that this version does not know and writes back unchanged.
struct KeptKey
{
    std::string object; ///< where it belongs, as a JSON pointer: "/model/blocks/0"
    std::string key;
    std::string after; ///< the key before it; empty for the first
    std::string value; ///< as JSON

    bool operator==(const KeptKey&) const = default;
};

/// Whether the key is the model's or that of one of its parts.
bool isInModel(const KeptKey& kept);

/// Refuses more unknown keys than are kept: 10,000, whose values nest at most 32 deep and have at
/// most 1 MiB as they are written. So a project that was read can be read again when it is saved.
Status withinBounds(const UnknownKeys& unknown);

std::vector<KeptKey> keptKeys(const UnknownKeys& unknown);

/// One sentence for each key, however many objects have it: "model.colour: not known to this
/// version, kept". It names a known key that is missing in the object and means the same. Of very
/// many keys the last sentence gives the number.
std::vector<std::string> keptKeyNotes(const UnknownKeys& unknown);

/// Puts the keys back into a project's JSON, each behind the key that it followed. A norm or
/// cross-attention that is not written because it has its default values is written at the end of
/// its parent. Keys whose object is gone are left out.
void putBack(Json& project, const std::vector<KeptKey>& kept);

/// The keys that still have their object after an edit of the model: those of a run of blocks stay
/// while the run is surely the same one, those of a mixer or FFN also while its variant is.
std::vector<KeptKey> keptThrough(const std::vector<KeptKey>& kept,
                                 const Model& before,
                                 const Model& after);

} // namespace flopsmith
