// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_file.h"
#include "core/json/json_text.h"
#include "core/lens/cost_summary.h"
#include "core/model/model_cost.h"
#include "tests/core/io/import_known.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>

namespace flopsmith {
namespace {

// What the transformers library built and computed, written by tests/transformers/check_families.py.
const Json& builtModels()
{
    static const Json kModels = [] {
        const Result<std::string> text =
            textOfFile(FLOPSMITH_SOURCE_DIR "/tests/data/built_by_transformers.json");
        EXPECT_TRUE(text.ok());
        return ownJson(*text);
    }();
    return kModels;
}

CostSummary costOf(const Model& model, const std::string& length)
{
    const Scenario scenario{model, {.sequence = length == "image" ? 1 : std::stoi(length)}};
    return summary(costTree(scenario, PairsRule::full), scenario, LensId::exact);
}

TEST(BuiltByTransformers, EveryModelHasTheSameParametersAndProductsHere)
{
    for (const Json& built : builtModels()) {
        const Model model = test::imported(built["config"]).model;
        const std::string config = jsonText(built["config"]);

        EXPECT_EQ(costOf(model, "1").parameters, built["parameters"].get<std::int64_t>()) << config;
        if (built.contains("macs")) {
            for (const JsonMember& of : built["macs"].items()) {
                EXPECT_EQ(costOf(model, of.key()).macs, of.value().get<std::int64_t>())
                    << config << of.key();
            }
        }
    }
}

TEST(BuiltByTransformers, EveryTypeHasAtLeastFourModels)
{
    std::map<std::string, int> models;
    for (const Json& built : builtModels()) {
        ++models[built["config"]["model_type"].get<std::string>()];
    }
    EXPECT_GE(models.size(), 70U);
    for (const auto& [type, count] : models) {
        const bool dropsTokens = type == "switch_transformers"; // whose products differ on purpose
        EXPECT_GE(count, dropsTokens ? 2 : 4) << type;
    }
}

} // namespace
} // namespace flopsmith
