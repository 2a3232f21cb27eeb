// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/no_ffn.h"
#include "core/formula/formula.h"
#include "core/lens/lens_total.h"
#include "core/mixer/attention.h"
#include "core/mixer/no_mixer.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"
#include "core/parameter/validation.h"
#include "tests/core/formula/evaluated.h"
#include "tests/support/ffn_cases.h"

#include <gtest/gtest.h>

#include <array>

namespace flopsmith {
namespace {

// The numbers in the formula's text make the tree's value: exactly, or with nominal FFTs up to
// half an operation for each of the transforms, which cost 5/2·n·log2(n) at least, n >= `shortest`.
void expectTextGivesValue(const Formula& formula, int shortest, const std::string& what)
{
    const test::Evaluated text = test::evaluated(formula.numbers);

    EXPECT_TRUE(text.isWhole()) << what << ": " << formula.numbers;
    EXPECT_EQ(formula.nominal, text.logPart > 0) << what << ": " << formula.numbers;
    const auto transforms = static_cast<double>(text.logFactors) / (2.5 * shortest);
    const auto rest = static_cast<long double>(formula.value - text.numerator) - text.logPart;
    if (formula.nominal) {
        EXPECT_NEAR(static_cast<double>(rest), 0.0, 0.5 * transforms + 1e-6)
            << what << ": " << formula.numbers;
    } else {
        EXPECT_EQ(digits(text.numerator), digits(formula.value)) << what << ": " << formula.numbers;
    }
}

// A share of one sequence's work, for one of its tokens, is rounded down.
void expectTextGivesWholePart(const Formula& formula, const std::string& what)
{
    const test::Evaluated text = test::evaluated(formula.numbers);

    EXPECT_TRUE(formula.value * text.denominator <= text.numerator
                && text.numerator < (formula.value + 1) * text.denominator)
        << what << ": " << formula.numbers;
}

void expectFormulasGiveValues(const Scenario& scenario,
                              std::span<const std::string_view> parts,
                              const std::string& what)
{
    for (const Lens& lens : lenses()) {
        for (const std::string_view part : parts) {
            if (lens.isFormula() && part != "model") {
                continue;
            }
            const Result<Formula> formula = formulaOf(scenario, part, lens.id);
            if (!isDefined(lens.id, scenario.workload.phase)) {
                EXPECT_FALSE(formula.ok()) << what;
                continue;
            }

            ASSERT_TRUE(formula.ok()) << what << ": " << formula.error().message;
            const std::string place = what + " " + std::string(part) + " " + std::string(lens.name);
            if (lens.id == LensId::perToken) {
                expectTextGivesWholePart(formula.value(), place);
            } else {
                const int shortest = std::min(scenario.model.dModel, scenario.queryTokens());
                expectTextGivesValue(formula.value(), std::max(shortest, 1), place);
            }
        }
    }
}

std::vector<Workload> awkwardWorkloads()
{
    return {
        {},
        {.batch = 3, .sequence = 1},
        {.batch = 2, .sequence = 5000},
        {.phase = Phase::decode, .batch = 4, .context = 777},
        {.phase = Phase::decode, .sequence = 6001},
        {.phase = Phase::train, .batch = 2, .sequence = 33, .checkpointing = Checkpointing::full}};
}

TEST(FormulaValue, IsTheCostTreesForEveryPresetLensPartAndWorkload)
{
    for (const Preset& preset : presets()) {
        const Block block = preset.make().runs.front().block;
        std::vector<std::string_view> parts{"model", "block", info(block.mixer).id, "head"};
        if (block.hasFfn()) {
            parts.emplace_back("ffn");
        }
        for (const Workload& workload : awkwardWorkloads()) {
            Scenario scenario{preset.make(), workload};
            scenario.model.embedding.positionRows = 8192;
            repair(scenario); // a mixer without a cache is not decoded from
            const std::string what =
                std::string(preset.id) + " S=" + std::to_string(workload.sequence);
            expectFormulasGiveValues(scenario, parts, what);
        }
    }
}

Scenario scenarioWith(const MixerSpec& mixer, const FfnSpec& ffn, int dModel)
{
    Block block;
    block.mixer = mixer;
    block.ffn = ffn;
    Scenario scenario;
    scenario.model.dModel = dModel;
    scenario.model.runs = {{block, 3}};
    scenario.workload.batch = 2;
    scenario.workload.sequence = 7;
    return scenario;
}

TEST(FormulaValue, IsTheCostTreesForEveryFfnVariantWithAllChoices)
{
    constexpr std::array<std::string_view, 1> kParts{"model"};
    int tried = 0;
    for (const int dModel : {7, 12}) {
        for (const FfnSpec& ffn : test::ffnCases(dModel, 2)) {
            const Scenario scenario = scenarioWith(NoMixer{}, ffn, dModel);
            if (validated(scenario).ok()) {
                expectFormulasGiveValues(scenario, kParts, test::describeFfn(ffn));
                ++tried;
            }
        }
    }
    EXPECT_GT(tried, 300);
}

TEST(FormulaValue, IsTheCostTreesForAttentionWithAllChoices)
{
    constexpr std::array<std::string_view, 1> kParts{"model"};
    Random random(1);
    int tried = 0;
    for (const Workload& workload :
         {Workload{.batch = 2, .sequence = 7}, Workload{.phase = Phase::decode, .context = 5}}) {
        for (const MixerSpec& attention :
             test::generatedCases(MixerSpec(Attention{}), FieldContext{12}, 6, random)) {
            Scenario scenario = scenarioWith(attention, NoFfn{}, 12);
            scenario.workload = workload;
            if (validated(scenario).ok()) {
                expectFormulasGiveValues(scenario, kParts, test::describe(attention));
                ++tried;
            }
        }
    }
    EXPECT_GT(tried, 100);
}

TEST(FormulaValue, IsThatOfTheNumericTree)
{
    const Scenario gpt2{*presetNamed("gpt2"), {}};

    const Result<Formula> formula = formulaOf(gpt2, "", LensId::matmul);

    ASSERT_TRUE(formula.ok());
    EXPECT_EQ(digits(formula->value), "291648307200");
}

// Simplified or not, the value that a reader works out is the same.
TEST(FormulaValue, SurvivesSimplification)
{
    const Scenario gpt2{*presetNamed("gpt2"), {}};
    const std::vector<std::vector<std::string>> constraints{
        {"f=4d"}, {"d=f/4"}, {"d=64H", "f=256H"}, {"S=1024"}, {"f=4d,H=d/64,V=50257"}};

    for (const std::vector<std::string>& simplify : constraints) {
        const Result<Formula> formula = formulaOf(gpt2, "", LensId::exact, simplify);

        ASSERT_TRUE(formula.ok()) << formula.error().message;
        expectTextGivesValue(formula.value(), 768, simplify.front());
    }
}

} // namespace
} // namespace flopsmith
