// SPDX-License-Identifier: MIT
#pragma once

#include "core/json/json.h"

#include <memory>
#include <string>
#include <vector>

namespace flopsmith {

/// A key of a file that this version does not know, with its value.
struct UnknownKey
{
    std::string place; ///< of the object: "model.blocks[0].mixer"; empty at the top level
    std::string key;
    std::string after; ///< the key before it in the object; empty for the first
    std::string value; ///< as JSON
    /// The known keys that are missing in the object; one list shared by all its unknown keys.
    std::shared_ptr<const std::vector<std::string>> missing;
};

/// Unknown keys in the order in which a reader met them. A reader that is given no list refuses
/// the first unknown key.
using UnknownKeys = std::vector<UnknownKey>;

/// Appends the object's keys that are not in `known`.
void collectUnknown(UnknownKeys& unknown,
                    const Json& object,
                    const std::string& place,
                    const std::vector<std::string>& known);

} // namespace flopsmith
