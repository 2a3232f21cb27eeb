// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/json/unknown_keys.h"
#include "core/model/model.h"

#include <string>
#include <vector>

namespace flopsmith {

/// A key of a project file that this version does not know; it is written back unchanged.
struct KeptKey
{
    std::string object; ///< its object, as a JSON pointer: "/model/blocks/0"
    std::string key;
    std::string after; ///< the key before it; empty for the first
    std::string value; ///< as JSON

    bool operator==(const KeptKey&) const = default;
};

/// Whether the key belongs to the model or one of its parts.
bool isInModel(const KeptKey& kept);

/// An Error above the limit of unknown keys: 10,000, whose values nest at most 32 deep and take at
/// most 1 MiB when written. So a project that was read can be read again after it is saved.
Status withinBounds(const UnknownKeys& unknown);

std::vector<KeptKey> keptKeys(const UnknownKeys& unknown);

/// One sentence for each key, however many objects have it: "model.colour: not known to this
/// version, kept". It names a known key that is missing in the object and has the same meaning. If
/// there are very many keys the last sentence gives their number.
std::vector<std::string> keptKeyNotes(const UnknownKeys& unknown);

/// Puts the keys back into a project's JSON, each after the key that it followed. A norm or
/// cross-attention that is not written because it has its default values is written at the end of
/// its parent. Keys whose object is gone are left out.
void putBack(Json& project, const std::vector<KeptKey>& kept);

/// The keys whose object still exists after an edit of the model: keys of a run of blocks stay
/// while the run is certainly the same, keys of a mixer or FFN also need the same variant.
std::vector<KeptKey> keptThrough(const std::vector<KeptKey>& kept,
                                 const Model& before,
                                 const Model& after);

} // namespace flopsmith
