// SPDX-License-Identifier: MIT
#include "core/share/design_text.h"

#include "core/base/check.h"
#include "core/json/json_text.h"
#include "core/json/spec_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace flopsmith {
namespace {

using SharedJson = nlohmann::ordered_json;

// A member of a run of blocks that is a variant: its defaults are those of its kind.
constexpr std::array<std::string_view, 3> kVariants{"mixer", "cross", "ffn"};

bool isVariant(std::string_view key)
{
    return std::find(kVariants.begin(), kVariants.end(), key) != kVariants.end();
}

// The object without members that equal those of `defaults`; `kept` stays in any case.
SharedJson withoutDefaults(const SharedJson& object,
                           const SharedJson& defaults,
                           std::string_view kept = {})
{
    SharedJson thin = SharedJson::object();
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

SharedJson defaultOfKind(const SharedJson& variant, bool isFfn)
{
    SharedJson named = SharedJson::object();
    named["kind"] = variant["kind"];
    if (isFfn) {
        return toJson(ffnFromJson(named, "ffn").value());
    }
    return toJson(mixerFromJson(named, "mixer").value());
}

SharedJson thinnedVariant(const SharedJson& variant, bool isFfn)
{
    SharedJson thin = withoutDefaults(variant, defaultOfKind(variant, isFfn), "kind");
    if (thin.contains("stages")) {
        for (SharedJson& stage : thin["stages"]) {
            stage = thinnedVariant(stage, true);
        }
    }
    return thin;
}

SharedJson thinnedRun(const SharedJson& run, const SharedJson& defaults)
{
    SharedJson thin = withoutDefaults(run, defaults);
    for (const std::string_view name : kVariants) {
        const std::string key(name);
        if (thin.contains(key)) {
            thin[key] = thinnedVariant(run[key], key == "ffn");
        }
    }
    return thin;
}

// What a run has by default, but for its variants: which they are is always said.
SharedJson defaultRun(const SharedJson& defaults)
{
    SharedJson run = SharedJson::object();
    for (const auto& item : defaults["blocks"][0].items()) {
        if (!isVariant(item.key())) {
            run[item.key()] = item.value();
        }
    }
    return run;
}

SharedJson thinnedModel(const SharedJson& model)
{
    Model plain;
    plain.runs.emplace_back();
    SharedJson defaults = toJson(plain);
    const SharedJson run = defaultRun(defaults);
    defaults.erase("blocks"); // these and the width must be there
    defaults.erase("d_model");
    SharedJson thin = withoutDefaults(model, defaults);
    for (SharedJson& each : thin["blocks"]) {
        each = thinnedRun(each, run);
    }
    return thin;
}

void eraseIf(SharedJson& json, const std::string& key, const SharedJson& value)
{
    if (json[key] == value) {
        json.erase(key);
    }
}

SharedJson fileOf(const Project& project)
{
    Project shared = project;
    shared.view.clear();
    SharedJson json = ownJson(projectText(shared));
    FLOPSMITH_CHECK(!json.is_discarded());
    json.erase("program");
    return json;
}

} // namespace

std::string sharedText(const Project& project)
{
    SharedJson json = fileOf(project);
    if (project.kept.empty()) {
        json["model"] = thinnedModel(json["model"]);
        json["workload"] = withoutDefaults(json["workload"], toJson(Workload{}));
        eraseIf(json, "workload", SharedJson::object());
        eraseIf(json, "lens", std::string(lens(Project{}.lens).name));
    }
    return jsonText(json);
}

std::string sharedTextInFull(const Project& project)
{
    return jsonText(fileOf(project));
}

} // namespace flopsmith
