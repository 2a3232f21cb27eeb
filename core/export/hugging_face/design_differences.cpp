// SPDX-License-Identifier: MIT
#include "core/export/hugging_face/design_differences.h"

#include "core/io/project/project_file.h"
#include "core/json/json_text.h"

#include <algorithm>

namespace flopsmith {
namespace {

constexpr std::string_view kKind = "/kind";

// The model without name and patterns, which do not affect its computation.
Model compared(Model model)
{
    model.name = "model";
    model.patterns.clear();
    return model;
}

Json jsonOf(const Model& model)
{
    const auto json =
        parsedJson(projectText({.scenario = {.model = compared(model), .workload = {}}}), "design");
    return json ? *json : Json();
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

std::string shown(const Json& value)
{
    constexpr std::size_t kMax = 60;
    const std::string text = value.is_structured() ? "another list" : jsonText(value);
    return text.size() > kMax ? text.substr(0, kMax) + "\xE2\x80\xA6" : text;
}

struct Change
{
    std::string path; ///< "/model/blocks/0/ffn/kind"
    const Json* before = nullptr; ///< null if the key is missing
    const Json* after = nullptr;
};

void addChanges(const Json& before,
                const Json& after,
                const std::string& path,
                std::vector<Change>& changes);

void addChangesOfArray(const Json& before,
                       const Json& after,
                       const std::string& path,
                       std::vector<Change>& changes)
{
    const std::size_t shared = std::min(before.size(), after.size());
    for (std::size_t i = 0; i < shared; ++i) {
        addChanges(before[i], after[i], path + "/" + std::to_string(i), changes);
    }
    for (std::size_t i = before.size(); i > shared; --i) { // from the end, as they are removed
        changes.push_back({path + "/" + std::to_string(i - 1), &before[i - 1], nullptr});
    }
    for (std::size_t i = shared; i < after.size(); ++i) {
        changes.push_back({path + "/-", nullptr, &after[i]});
    }
}

void addChangesOfObject(const Json& before,
                        const Json& after,
                        const std::string& path,
                        std::vector<Change>& changes)
{
    for (const JsonMember& member : before.items()) {
        const std::string place = path + "/" + member.key();
        if (const Json* other = after.find(member.key())) {
            addChanges(member.value(), *other, place, changes);
        } else {
            changes.push_back({place, &member.value(), nullptr});
        }
    }
    for (const JsonMember& member : after.items()) {
        if (!before.contains(member.key())) {
            changes.push_back({path + "/" + member.key(), nullptr, &member.value()});
        }
    }
}

void addChanges(const Json& before,
                const Json& after,
                const std::string& path,
                std::vector<Change>& changes)
{
    if (before.is_array() && after.is_array()) {
        addChangesOfArray(before, after, path, changes);
    } else if (before.is_object() && after.is_object()) {
        addChangesOfObject(before, after, path, changes);
    } else if (before != after) {
        changes.push_back({path, &before, &after});
    }
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
    const Json ours = jsonOf(model);
    const Json native = jsonOf(theirs);
    std::vector<std::string> sentences;
    std::vector<std::string> otherKinds; // of parts, below which all differs
    std::vector<Change> changes;
    addChanges(native, ours, "", changes);
    for (const Change& change : changes) {
        if (change.path.ends_with(kKind)) {
            otherKinds.push_back(change.path.substr(0, change.path.size() - kKind.size() + 1));
        }
    }
    for (const Change& change : changes) {
        const bool isOfOtherKind = std::ranges::any_of(
            otherKinds, [&](const std::string& part) { return change.path.starts_with(part); });
        if (isOfOtherKind && !change.path.ends_with(kKind)) {
            continue;
        }
        const std::string place = placeText(change.path);
        if (change.after == nullptr) {
            sentences.push_back(place + " is not there; " + std::string(title) + " has it");
        } else if (change.before == nullptr) {
            sentences.push_back(place + " is " + shown(*change.after) + "; " + std::string(title)
                                + " has none");
        } else {
            sentences.push_back(place + " is " + shown(*change.after) + "; " + std::string(title)
                                + " would have " + shown(*change.before));
        }
    }
    return sentences;
}

} // namespace flopsmith
