// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unity/repeated_names.h"

#include "tests/unity/function_values.h"

#include <algorithm>
#include <map>

namespace flopsmith::test {
namespace {

struct Place
{
    const NamedSource* source;
    const DefinedName* name;
};

bool isFunction(const DefinedName& name)
{
    return name.kind == DefinedName::Kind::function || name.kind == DefinedName::Kind::member;
}

std::string lastPart(const std::string& name)
{
    const std::size_t at = name.rfind("::");
    return at == std::string::npos ? name : name.substr(at + 2);
}

// Overloads may have one name unless a source uses it without a call; aliases of one name may stand
// for the same.
bool meet(const Place& a, const Place& b)
{
    if (a.name->kind != b.name->kind || a.name->kind == DefinedName::Kind::other) {
        return true;
    }
    if (isFunction(*a.name)) {
        const std::string word = lastPart(a.name->name);
        const bool used = a.source->functionsAsValues.contains(word)
            || b.source->functionsAsValues.contains(word);
        return a.name->signature == b.name->signature
            || (used && a.name->kind == DefinedName::Kind::function);
    }
    return a.name->signature != b.name->signature;
}

} // namespace

NamedSource namedSource(const std::string& path, std::string_view text)
{
    return {path, definedNames(text), functionsAsValues(text), path.ends_with(".h")};
}

std::vector<std::string> repeatedNames(const std::vector<NamedSource>& sources)
{
    std::map<std::string, std::vector<Place>> known;
    std::vector<std::string> repeated;
    for (const NamedSource& source : sources) {
        for (const DefinedName& name : source.names) {
            std::vector<Place>& places = known[name.name];
            const auto same = std::ranges::find_if(places, [&](const Place& other) {
                return other.source != &source && !(other.source->isHeader && source.isHeader)
                    && meet(other, {&source, &name});
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
