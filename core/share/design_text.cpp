// SPDX-License-Identifier: MIT
#include "core/share/design_text.h"

#include "core/base/check.h"
#include "core/json/json_text.h"
#include "core/json/spec_json.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace flopsmith {
namespace {

// The members of a run of blocks that are variants: each has the defaults of its kind.
constexpr std::array<std::string_view, 3> kVariants{"mixer", "cross", "ffn"};

bool isVariant(std::string_view key)
{
    return std::find(kVariants.begin(), kVariants.end(), key) != kVariants.end();
}

// The object without members equal to those of `defaults`; `kept` always stays.
Json withoutDefaults(const Json& object, const Json& defaults, std::string_view kept = {})
{
    Json thin = Json::object();
    for (const auto& item : object.items()) {
        const std::string& key = item.key();
        const bool known = defaults.contains(key);
        if (known && item.value() == defaults[key] && key != kept) {
            continue;
        }
        const bool nested = known && item.value().is_object() && defaults[key].is_object();
        thin[key] = nested ? withoutDefaults(item.value(), defaults[key]) : item.value();
    }
    return thin;
}

Json defaultOfKind(const Json& variant, bool isFfn)
{
    Json named = Json::object();
    named["kind"] = variant["kind"];
    if (isFfn) {
        return toJson(ffnFromJson(named, "ffn").value());
    }
    return toJson(mixerFromJson(named, "mixer").value());
}

Json thinnedVariant(const Json& variant, bool isFfn)
{
    Json thin = withoutDefaults(variant, defaultOfKind(variant, isFfn), "kind");
    if (thin.contains("stages")) {
        for (Json& stage : thin["stages"]) {
            stage = thinnedVariant(stage, true);
        }
    }
    return thin;
}

Json thinnedRun(const Json& run, const Json& defaults)
{
    Json thin = withoutDefaults(run, defaults);
    for (const std::string_view name : kVariants) {
        const std::string key(name);
        if (thin.contains(key)) {
            thin[key] = thinnedVariant(run[key], key == "ffn");
        }
    }
    return thin;
}

// A run's defaults except its variants, which are always written.
Json defaultRun(const Json& defaults)
{
    Json run = Json::object();
    for (const auto& item : defaults["blocks"][0].items()) {
        if (!isVariant(item.key())) {
            run[item.key()] = item.value();
        }
    }
    return run;
}

Json thinnedModel(const Json& model)
{
    Model plain;
    plain.runs.emplace_back();
    Json defaults = toJson(plain);
    const Json run = defaultRun(defaults);
    defaults.erase("blocks"); // these and the width must be there
    defaults.erase("d_model");
    Json thin = withoutDefaults(model, defaults);
    for (Json& each : thin["blocks"]) {
        each = thinnedRun(each, run);
    }
    return thin;
}

void eraseIf(Json& json, const std::string& key, const Json& value)
{
    if (json[key] == value) {
        json.erase(key);
    }
}

Json fileOf(const Project& project)
{
    Project shared = project;
    shared.view.clear();
    Json json = ownJson(projectText(shared));
    FLOPSMITH_CHECK(!json.is_discarded());
    json.erase("program");
    return json;
}

} // namespace

std::string sharedText(const Project& project)
{
    Json json = fileOf(project);
    if (project.kept.empty()) {
        json["model"] = thinnedModel(json["model"]);
        json["workload"] = withoutDefaults(json["workload"], toJson(Workload{}));
        eraseIf(json, "workload", Json::object());
        eraseIf(json, "lens", std::string(lens(Project{}.lens).name));
    }
    return jsonText(json);
}

std::string sharedTextInFull(const Project& project)
{
    return jsonText(fileOf(project));
}

} // namespace flopsmith
