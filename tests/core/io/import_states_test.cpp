// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/budget/memory.h"
#include "core/json/json_text.h"
#include "core/mixer/mamba2.h"
#include "core/model/model_cost.h"
#include "tests/core/io/import_known.h"

#include <gtest/gtest.h>

#include <string>

namespace flopsmith {
namespace {

struct PublishedModel
{
    const char* config;
    std::int64_t parameters;
};

std::int64_t parametersOf(const Model& model)
{
    return static_cast<std::int64_t>(
        costTree({.model = model}, PairsRule::exact).total().parameters.trainable);
}

TEST(ImportedStates, PublishedModelsHaveTheirParameters)
{
    const PublishedModel models[]{
        {R"({"model_type": "mamba2", "hidden_size": 768, "num_hidden_layers": 24, "num_heads": 24,
             "n_groups": 1, "vocab_size": 50288, "tie_word_embeddings": true})",
         128'989'632},
        {R"({"model_type": "bamba", "vocab_size": 128256, "mamba_d_state": 128,
             "attn_layer_indices": [9, 18, 27]})",
         9'780'235'392},
        {R"({"model_type": "nemotron_h", "hybrid_override_pattern":
             "M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-"})",
         8'100'852'736},
    };
    for (const PublishedModel& published : models) {
        const Model model = test::imported(ownJson(published.config)).model;

        EXPECT_EQ(parametersOf(model), published.parameters) << published.config;
    }
}

TEST(ImportedStates, AnOpenLimitOfTheStepChangesNothingAndAnotherIsNoted)
{
    const auto notesOf = [](const char* limits) {
        Json config = ownJson(R"({"model_type": "mamba2"})");
        config["time_step_limit"] = ownJson(limits);
        return test::imported(config).leftOut;
    };

    EXPECT_TRUE(notesOf("[0.0, 1e308]").empty());
    EXPECT_TRUE(notesOf(R"([0.0, {"__float__": "Infinity"}])").empty());
    EXPECT_EQ(notesOf("[0.001, 0.1]").size(), 1U);
}

TEST(ImportedStates, AHybridKeepsStatesBesideTheCacheOfItsAttention)
{
    const Model model = test::imported(ownJson(R"({"model_type": "bamba", "num_hidden_layers": 2,
        "attn_layer_indices": [1]})"))
                            .model;
    Scenario scenario{.model = model};
    scenario.workload.sequence = 1000;
    const Count perToken = kvCacheBytesPerToken(scenario);
    const Count short1000 = cacheBytes(scenario);
    scenario.workload.sequence = 3000;

    EXPECT_EQ(perToken, 2 * 8 * 128 * 4);
    EXPECT_EQ(cacheBytes(scenario) - short1000, 2000 * perToken);
    EXPECT_EQ(short1000, 1000 * perToken + stateBytes(scenario));
    EXPECT_GT(stateBytes(scenario), 0);
}

} // namespace
} // namespace flopsmith
