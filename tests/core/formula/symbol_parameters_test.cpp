// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/symbol_parameters.h"

#include "core/ffn/dense.h"
#include "core/model/presets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace flopsmith {
namespace {

std::vector<std::string> keysOf(const Scenario& scenario,
                                std::string_view part,
                                std::string_view letter)
{
    const Result<Formula> formula = formulaOf(scenario, part, LensId::exact);
    FLOPSMITH_CHECK(formula.ok());
    const auto symbol =
        std::find_if(formula->symbols.begin(),
                     formula->symbols.end(),
                     [letter](const FormulaSymbol& each) { return each.name == letter; });
    FLOPSMITH_CHECK(symbol != formula->symbols.end());
    std::vector<std::string> keys;
    for (const Parameter& parameter : parametersOf(scenario, *symbol, formula->path)) {
        keys.push_back(parameter.key);
    }
    return keys;
}

using Keys = std::vector<std::string>;

TEST(SymbolParameters, OfGpt2AreThoseOfTheInspector)
{
    const Scenario gpt2{*presetNamed("gpt2"), {.batch = 2, .sequence = 64}};

    EXPECT_EQ(keysOf(gpt2, "", "d"), Keys{"d_model"});
    EXPECT_EQ(keysOf(gpt2, "", "f"), Keys{"blocks[0].ffn.d_ff"});
    EXPECT_EQ(keysOf(gpt2, "", "H"), Keys{"blocks[0].mixer.heads"});
    EXPECT_EQ(keysOf(gpt2, "", "L"), Keys{"layers"});
    EXPECT_EQ(keysOf(gpt2, "", "V"), Keys{"vocab"});
    EXPECT_EQ(keysOf(gpt2, "", "B"), Keys{"batch"});
    EXPECT_EQ(keysOf(gpt2, "", "S"), Keys{"seq"});
}

TEST(SymbolParameters, OfExpertsAreTheirNumberAndThoseOfAToken)
{
    const Scenario mixtral{*presetNamed("mixtral-8x7b"), {.sequence = 64}};

    EXPECT_EQ(keysOf(mixtral, "", "E"), Keys{"blocks[0].ffn.experts"});
    EXPECT_EQ(keysOf(mixtral, "", "k"), Keys{"blocks[0].ffn.experts_per_token"});
    EXPECT_EQ(keysOf(mixtral, "", "G"), Keys{"blocks[0].mixer.kv_heads"});
}

TEST(SymbolParameters, OfTheWholeModelAreThoseOfEveryRunWithTheValue)
{
    Scenario scenario{*presetNamed("gpt2"), {.sequence = 64}};
    const Block dense = scenario.model.runs.front().block;
    Block wide = dense;
    wide.ffn = DenseFfn{.dFf = 4096};
    scenario.model.runs = {{dense, 2}, {wide, 3}, {dense, 4}};

    EXPECT_EQ(keysOf(scenario, "", "f"), (Keys{"blocks[0].ffn.d_ff", "blocks[5].ffn.d_ff"}));
    EXPECT_EQ(keysOf(scenario, "", "f_2"), Keys{"blocks[2].ffn.d_ff"});
    EXPECT_EQ(keysOf(scenario, "blocks[5]/ffn", "f"), Keys{"blocks[5].ffn.d_ff"});
    EXPECT_EQ(keysOf(scenario, "", "N"), Keys{"blocks[0].repeat"});
}

// What a slider of the inspector moves is moved by its letter, and nothing else is.
TEST(SymbolParameters, OfEveryPresetHaveTheLettersSymbolAndValue)
{
    for (const Preset& preset : presets()) {
        const Scenario scenario{preset.make(), {.sequence = 64}};
        const Result<Formula> formula = formulaOf(scenario, "", LensId::exact);
        ASSERT_TRUE(formula.ok()) << preset.id;
        for (const FormulaSymbol& symbol : formula->symbols) {
            for (const Parameter& parameter : parametersOf(scenario, symbol, "")) {
                EXPECT_EQ(parameter.text.symbol, symbol.base) << preset.id;
                EXPECT_EQ(parameter.value(scenario),
                          FieldValue(static_cast<std::int64_t>(symbol.value)))
                    << preset.id << " " << symbol.name;
            }
        }
    }
}

TEST(SymbolParameters, OfASumOverManyBlocksAreNone)
{
    const Scenario gpt2{*presetNamed("gpt2"), {.sequence = 64}};

    EXPECT_TRUE(
        parametersOf(gpt2, {.name = "f_i", .value = 3072, .values = "1 to 2", .base = "f"}, "")
            .empty());
    EXPECT_TRUE(parametersOf(gpt2, {.name = "i", .value = 3}, "").empty());
}

} // namespace
} // namespace flopsmith
