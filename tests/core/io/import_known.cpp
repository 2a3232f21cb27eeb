// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/io/import_known.h"

#include "core/json/json_text.h"
#include "core/lens/cost_summary.h"
#include "core/model/model_cost.h"

#include <gtest/gtest.h>

namespace flopsmith::test {

std::vector<KnownModel> knownModels()
{
    std::vector<KnownModel> all;
    for (const auto* some :
         {&knownGptModels(), &knownLlamaModels(), &knownExpertModels(), &knownEncoderModels()}) {
        all.insert(all.end(), some->begin(), some->end());
    }
    return all;
}

std::string_view configNamed(std::string_view name)
{
    for (const KnownModel& known : knownModels()) {
        if (known.name == name) {
            return known.config;
        }
    }
    ADD_FAILURE() << "no model is called " << name;
    return "{}";
}

Json configOf(const KnownModel& known)
{
    constexpr int kLabels = 1000;
    Json json = ownJson(known.config);
    if (json.contains("image_size")) {
        for (int label = 0; label < kLabels; ++label) {
            json["id2label"][std::to_string(label)] = "label";
        }
    }
    return json;
}

ImportedConfig imported(const Json& json)
{
    const Result<ImportedConfig> result = importedConfig(json, "config.json");
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
    return result.ok() ? *result : ImportedConfig{};
}

ImportedConfig imported(std::string_view json)
{
    return imported(ownJson(json));
}

std::string refusal(const Json& json)
{
    const Result<ImportedConfig> result = importedConfig(json, "some/config.json");
    EXPECT_FALSE(result.ok()) << jsonText(json);
    return result.ok() ? "" : result.error().message;
}

std::string refusal(std::string_view json)
{
    return refusal(ownJson(json));
}

std::string parameters(std::string_view json)
{
    const Scenario scenario{imported(json).model, {}};
    return digits(summary(costTree(scenario), scenario, LensId::exact).parameters);
}

namespace {

// RFC 7396: null takes a member away.
void mergePatch(Json& json, const Json& patch)
{
    if (!patch.is_object()) {
        json = patch;
        return;
    }
    json = json.is_object() ? json : Json::object();
    for (const JsonMember& member : patch.items()) {
        if (member.value().is_null()) {
            json.erase(member.key());
        } else {
            mergePatch(json[member.key()], member.value());
        }
    }
}

} // namespace

Json patched(std::string_view json, std::string_view patch)
{
    Json whole = ownJson(json);
    mergePatch(whole, ownJson(patch));
    return whole;
}

Model modelOf(std::string_view known, std::string_view patch)
{
    return imported(patched(configNamed(known), patch)).model;
}

} // namespace flopsmith::test
