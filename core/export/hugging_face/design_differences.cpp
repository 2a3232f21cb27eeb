// SPDX-License-Identifier: MIT
#include "core/export/hugging_face/design_differences.h"

#include "core/io/project_file.h"
#include "core/json/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace flopsmith {
namespace {

using Config = nlohmann::ordered_json;

constexpr std::string_view kKind = "/kind";

// Name and patterns are not what a design computes.
Model compared(Model model)
{
    model.name = "model";
    model.patterns.clear();
    return model;
}

Config jsonOf(const Model& model)
{
    const auto json =
        parsedJson(projectText({.scenario = {.model = compared(model), .workload = {}}}), "design");
    return json ? *json : Config();
}

// "/stack/0/ffn/kind" → "stack[0].ffn.kind"
std::string placeText(const std::string& pointer)
{
    std::string text;
    std::size_t at = pointer.empty() ? 0 : 1;
    while (at <= pointer.size() && !pointer.empty()) {
        const std::size_t end = std::min(pointer.find('/', at), pointer.size());
        const std::string word = pointer.substr(at, end - at);
        const bool isNumber =
            !word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
        text += isNumber ? "[" + word + "]" : (text.empty() ? "" : ".") + word;
        at = end + 1;
    }
    return text;
}

std::string shown(const Config& value)
{
    constexpr std::size_t kMax = 60;
    const std::string text = value.is_structured() ? "another list" : jsonText(value);
    return text.size() > kMax ? text.substr(0, kMax) + "\xE2\x80\xA6" : text;
}

} // namespace

bool isSameDesign(const Model& model, const Model& other)
{
    return compared(model) == compared(other);
}

std::vector<std::string> designDifferences(const Model& model,
                                           const Model& theirs,
                                           std::string_view title)
{
    const Config ours = jsonOf(model);
    const Config native = jsonOf(theirs);
    std::vector<std::string> sentences;
    std::vector<std::string> otherKinds; // of parts, below which all differs
    const Config changes = Config::diff(native, ours);
    for (const Config& change : changes) {
        const auto path = change.at("path").get<std::string>();
        if (path.ends_with(kKind)) {
            otherKinds.push_back(path.substr(0, path.size() - kKind.size() + 1));
        }
    }
    for (const Config& change : changes) {
        const auto path = change.at("path").get<std::string>();
        const bool isOfOtherKind = std::ranges::any_of(
            otherKinds, [&](const std::string& part) { return path.starts_with(part); });
        if (isOfOtherKind && !path.ends_with(kKind)) {
            continue;
        }
        const std::string place = placeText(path);
        if (change.at("op") == "remove") {
            sentences.push_back(place + " is not there; " + std::string(title) + " has it");
        } else if (change.at("op") == "add") {
            sentences.push_back(place + " is " + shown(change.at("value")) + "; "
                                + std::string(title) + " has none");
        } else {
            sentences.push_back(place + " is " + shown(change.at("value")) + "; "
                                + std::string(title) + " would have "
                                + shown(native.at(Config::json_pointer(path))));
        }
    }
    return sentences;
}

} // namespace flopsmith
