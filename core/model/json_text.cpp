// SPDX-License-Identifier: MIT
#include "core/model/spec_json.h"

#include <nlohmann/json.hpp>

#include <set>

namespace flopsmith {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepestNesting = 64;
constexpr std::size_t kLongestText = 16U << 20U;

struct Refusal
{
    std::string message;
};

// Line and column of byte `byte` (counted from 1, as the parser does).
std::string lineAndColumn(std::string_view text, std::size_t byte)
{
    std::size_t line = 1;
    std::size_t column = 1;
    for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
        column = text[i] == '\n' ? 1 : column + 1;
        line += text[i] == '\n' ? 1 : 0;
    }
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

// "syntax error while parsing value - unexpected …": the part that a person can use.
std::string reason(const std::string& what)
{
    const std::size_t dash = what.rfind(" - ");
    std::string text = dash == std::string::npos ? what : what.substr(dash + 3);
    for (char& c : text) {
        c = c == '\n' ? ' ' : c;
    }
    return text;
}

} // namespace

Json exactNumber(Count count)
{
    if (count < kLargestExactDouble && count > -Count{kLargestExactDouble}) {
        return static_cast<std::int64_t>(count);
    }
    return digits(count);
}

Result<Json> parsedJson(std::string_view text, const std::string& source)
{
    if (text.size() > kLongestText) {
        return Error{source + ": " + std::to_string(text.size())
                     + " bytes are too many; at most 16 MiB are read"};
    }
    std::vector<std::set<std::string>> keys;
    const auto guard = [&](int depth, Json::parse_event_t event, Json& parsed) {
        if (depth > kDeepestNesting) {
            throw Refusal{"nested more than " + std::to_string(kDeepestNesting) + " deep"};
        }
        if (event == Json::parse_event_t::object_start) {
            keys.emplace_back();
        } else if (event == Json::parse_event_t::object_end) {
            keys.pop_back();
        } else if (event == Json::parse_event_t::key
                   && !keys.back().insert(parsed.get<std::string>()).second) {
            throw Refusal{"the key \"" + parsed.get<std::string>() + "\" occurs twice"};
        }
        return true;
    };
    try {
        return Json::parse(text, guard);
    } catch (const Json::parse_error& error) {
        return Error{source + ": " + lineAndColumn(text, error.byte)
                     + ": not valid JSON: " + reason(error.what())};
    } catch (const Json::exception& error) {
        return Error{source + ": not usable JSON: " + reason(error.what())};
    } catch (const Refusal& refusal) {
        return Error{source + ": " + refusal.message};
    }
}

} // namespace flopsmith
