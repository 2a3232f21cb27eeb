// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unity/repeated_names.h"

#include <algorithm>
#include <map>

namespace flopsmith::test {
namespace {

struct Place
{
    const NamedSource* source;
    const DefinedName* name;
};

// Overloads may have one name, and aliases of one name may stand for the same.
bool meet(const DefinedName& a, const DefinedName& b)
{
    if (a.kind != b.kind || a.kind == DefinedName::Kind::other) {
        return true;
    }
    return (a.kind == DefinedName::Kind::function) == (a.signature == b.signature);
}

} // namespace

std::vector<std::string> repeatedNames(const std::vector<NamedSource>& sources)
{
    std::map<std::string, std::vector<Place>> known;
    std::vector<std::string> repeated;
    for (const NamedSource& source : sources) {
        for (const DefinedName& name : source.names) {
            std::vector<Place>& places = known[name.name];
            const auto same = std::ranges::find_if(places, [&](const Place& other) {
                return other.source != &source && meet(*other.name, name);
            });
            if (same != places.end()) {
                repeated.push_back(name.name + name.signature + ": " + same->source->path + ":"
                                   + std::to_string(same->name->line) + " and " + source.path + ":"
                                   + std::to_string(name.line));
            }
            places.push_back({&source, &name});
        }
    }
    return repeated;
}

} // namespace flopsmith::test
