// SPDX-License-Identifier: MIT
#include "core/json/unknown_keys.h"

#include "core/json/json_text.h"

#include <algorithm>
#include <iterator>

namespace flopsmith {

void collectUnknown(UnknownKeys& unknown,
                    const Json& object,
                    const std::string& place,
                    const std::vector<std::string>& known)
{
    const auto isKnown = [&known](const std::string& key) {
        return std::find(known.begin(), known.end(), key) != known.end();
    };
    const auto missing = std::make_shared<std::vector<std::string>>();
    std::copy_if(known.begin(),
                 known.end(),
                 std::back_inserter(*missing),
                 [&object](const std::string& key) { return !object.contains(key); });
    std::string after;
    for (const auto& item : object.items()) {
        if (!isKnown(item.key())) {
            unknown.push_back({place, item.key(), after, jsonText(item.value()), missing});
        }
        after = item.key();
    }
}

} // namespace flopsmith
