// SPDX-License-Identifier: MIT
#include "core/json/json_pointer.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

namespace flopsmith {
namespace {

// Takes "/name" off the front of the pointer.
std::string nextName(std::string_view& pointer)
{
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    std::string name;
    for (std::size_t i = 1; i < end; ++i) {
        const bool isEscaped = pointer[i] == '~' && i + 1 < end;
        name += !isEscaped ? pointer[i] : pointer[++i] == '1' ? '/' : '~';
    }
    pointer.remove_prefix(end);
    return name;
}

std::optional<std::size_t> indexIn(const Json& array, const std::string& name)
{
    std::size_t index = 0;
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data(), end, index);
    const bool isIndex = error == std::errc() && stop == end && index < array.size();
    return isIndex ? std::optional(index) : std::nullopt;
}

} // namespace

const Json* valueAt(const Json& json, std::string_view pointer)
{
    const Json* at = &json;
    while (at != nullptr && !pointer.empty()) {
        const std::string name = nextName(pointer);
        const auto index = at->is_array() ? indexIn(*at, name) : std::nullopt;
        at = index ? &at->at(*index) : at->find(name);
    }
    return at;
}

Json* valueAt(Json& json, std::string_view pointer)
{
    return const_cast<Json*>(valueAt(std::as_const(json), pointer)); // NOLINT: it is not constant
}

Json& madeAt(Json& json, std::string_view pointer)
{
    Json* at = &json;
    while (!pointer.empty()) {
        const std::string name = nextName(pointer);
        const auto index = at->is_array() ? indexIn(*at, name) : std::nullopt;
        at = index ? &at->at(*index) : &(*at)[name];
    }
    return *at;
}

} // namespace flopsmith
