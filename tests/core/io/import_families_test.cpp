// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/json_text.h"
#include "core/lens/cost_summary.h"
#include "core/mixer/latent_attention.h"
#include "core/model/model_cost.h"
#include "tests/core/io/import_known.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using test::Asked;
using test::KnownCount;
using test::KnownModel;

class KnownModels : public testing::TestWithParam<KnownModel>
{};

CostSummary summaryOf(const Model& model)
{
    const Scenario scenario{model, {.precision = {.kvBits = 16}}};
    return summary(costTree(scenario), scenario, LensId::exact);
}

void removeWindows(Model& model)
{
    for (BlockRun& run : model.runs) {
        if (auto* attention = get_if<Attention>(&run.block.mixer)) {
            attention->window = 0;
        }
    }
}

void setLatentForm(Model& model, LatentForm form)
{
    for (BlockRun& run : model.runs) {
        if (auto* attention = get_if<LatentAttention>(&run.block.mixer)) {
            attention->form = form;
            attention->cache = LatentCache::keysAndValues;
        }
    }
}

Scenario scenarioOf(Model model, const KnownCount& count)
{
    constexpr int kSource = 512;
    if (count.asked != Asked::windows) {
        removeWindows(model);
    }
    Workload workload;
    if (count.asked == Asked::decode || count.asked == Asked::absorbed) {
        setLatentForm(model,
                      count.asked == Asked::absorbed ? LatentForm::absorbed : LatentForm::expanded);
        workload.phase = Phase::decode;
        workload.context = count.tokens;
    } else if (count.tokens > 0) {
        workload.sequence = count.tokens;
    }
    // T5's figure is one of all pairs, and its encoder and decoder are of different lengths.
    if (model.hasEncoder()) {
        workload.source = kSource;
    }
    return {std::move(model), workload};
}

PairsRule pairsOf(Asked asked)
{
    return asked == Asked::full || asked == Asked::encode ? PairsRule::full : PairsRule::exact;
}

TEST_P(KnownModels, HaveTheirParameters)
{
    const ImportedConfig known = test::imported(configOf(GetParam()));
    const CostSummary counted = summaryOf(known.model);

    EXPECT_EQ(digits(counted.parameters), GetParam().parameters);
    EXPECT_EQ(digits(costTree(Scenario{known.model, {}}).total().parameters.active),
              GetParam().active);
    if (*GetParam().kvBytes != '\0') {
        EXPECT_EQ(digits(counted.kvCacheBytesPerToken), GetParam().kvBytes);
    }
}

// A table that is only looked up multiplies nothing; a head's does.
TEST(ActiveParameters, AreThoseThatMultiplyForOneToken)
{
    const std::vector<std::pair<const char*, const char*>> known{
        {"gpt-oss-20b", "3608307264"},
        {"deepseek-v3", "36625603584"},
        {"deepseek-v2-lite", "2451435008"},
        {"mixtral-8x7b-v0.1", "12748853248"},
        {"qwen3-30b-a3b", "3041867776"},
        {"granite-3.1-1b-a400m-instruct", "428658688"},
        {"llama-3-8b", "7504924672"},
        {"gpt2", "124439808"},
        {"bert-base-uncased", "86041344"}};
    for (const auto& [name, active] : known) {
        const Model model = test::imported(test::configNamed(name)).model;
        const Scenario training{model, {.phase = Phase::train}};

        EXPECT_EQ(digits(summaryOf(model).activeParameters), active) << name;
        EXPECT_EQ(digits(activeParameters(costTree(training), model)), active) << name;
    }
}

TEST_P(KnownModels, ExecuteTheirMultiplyAdds)
{
    const Model model = test::imported(configOf(GetParam())).model;
    for (const KnownCount& count : GetParam().counts) {
        const Scenario scenario = scenarioOf(model, count);
        const CostTree<Count> tree = costTree(scenario, pairsOf(count.asked));
        EXPECT_EQ(digits(summary(tree, scenario, LensId::exact).macs), count.macs)
            << count.tokens << " tokens, question " << static_cast<int>(count.asked);
    }
}

// What their files say is understood to the last key.
TEST_P(KnownModels, AreUnderstood)
{
    for (const std::string& note : test::imported(configOf(GetParam())).notes) {
        EXPECT_THAT(note, testing::Not(testing::HasSubstr("not understood")));
    }
}

// A key that nobody knows is named, and nothing else changes.
TEST_P(KnownModels, NameAnUnknownKey)
{
    Json json = configOf(GetParam());
    const Model model = test::imported(json).model;
    json["memory_of_elephants"] = 3;

    const ImportedConfig strange = test::imported(json);

    EXPECT_EQ(strange.model, model);
    EXPECT_THAT(strange.notes,
                testing::Contains(testing::AllOf(testing::HasSubstr("not understood"),
                                                 testing::HasSubstr("memory_of_elephants"))));
}

// Every family refuses values of the wrong kind under each of the keys that it reads as sizes.
TEST_P(KnownModels, RefuseSizesThatAreNone)
{
    const Json json = configOf(GetParam());
    for (const char* wrong : {"true", "\"768\"", "-3", "2.5", "1e30", "[]"}) {
        for (const char* key : {"vocab_size",
                                "num_hidden_layers",
                                "n_layer",
                                "n_layers",
                                "num_layers",
                                "hidden_size",
                                "d_model",
                                "n_embd"}) {
            const bool read = json.contains(key) && json["model_type"] != "vit";
            if (read) {
                Json broken = json;
                broken[key] = ownJson(wrong);
                EXPECT_THAT(test::refusal(broken), testing::HasSubstr(key)) << wrong;
            }
        }
    }
}

std::string nameOf(const testing::TestParamInfo<KnownModel>& known)
{
    std::string name = known.param.name;
    for (char& c : name) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
        c = plain ? c : '_';
    }
    return name;
}

INSTANTIATE_TEST_SUITE_P(Import, KnownModels, testing::ValuesIn(test::knownModels()), nameOf);

} // namespace
} // namespace flopsmith
