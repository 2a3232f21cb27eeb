// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/derivation.h"

#include "core/ffn/gated.h"
#include "core/lens/lens_total.h"
#include "core/mixer/no_mixer.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"
#include "core/parameter/validation.h"
#include "tests/core/formula/evaluated.h"
#include "tests/support/ffn_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {
namespace {

Derivation derived(const Scenario& scenario, LensId lens, std::optional<PairsRule> pairs = {})
{
    Result<Derivation> made = derivationOf(scenario, lens, pairs);
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message);
    return made.ok() ? *made : Derivation{};
}

const DerivationStep& stepNamed(const Derivation& derivation, std::string_view title)
{
    const auto found =
        std::find_if(derivation.steps.begin(),
                     derivation.steps.end(),
                     [&](const DerivationStep& step) { return step.title == title; });
    FLOPSMITH_CHECK(found != derivation.steps.end());
    return *found;
}

// As a reader adds them up, with nothing but what is written.
void expectStepsAddUp(const Derivation& derivation, Count total, const std::string& what)
{
    Count lines = 0;
    Count block = 0;
    for (const DerivationStep& step : derivation.steps) {
        const std::string place = what + " " + step.title;
        EXPECT_FALSE(step.title.empty()) << what;
        ASSERT_FALSE(step.reason.empty()) << place;
        EXPECT_EQ(step.reason.back(), '.') << place;
        EXPECT_EQ(step.given.empty(), !step.simplified) << place;
        lines += step.uses * step.formula.value;
        if (step.role == DerivationRole::line) {
            block += step.formula.value;
            continue;
        }
        if (step.role == DerivationRole::block) {
            EXPECT_EQ(digits(step.formula.value),
                      digits(test::evaluated(step.formula.numbers).numerator))
                << place;
        }
        EXPECT_EQ(step.uses, 0) << place;
        EXPECT_EQ(digits(test::evaluated(step.formula.numbers).numerator),
                  digits(step.formula.value))
            << place << ": " << step.formula.numbers;
    }
    ASSERT_FALSE(derivation.steps.empty()) << what;
    EXPECT_EQ(derivation.steps.back().role, DerivationRole::total) << what;
    EXPECT_EQ(digits(derivation.steps.back().formula.value), digits(total)) << what;
    EXPECT_EQ(digits(lines), digits(total)) << what;
}

void expectNumbersGiveValues(const Derivation& derivation, const std::string& what)
{
    for (const DerivationStep& step : derivation.steps) {
        if (step.role == DerivationRole::line && !step.formula.nominal) {
            const test::Evaluated numbers = test::evaluated(step.formula.numbers);
            EXPECT_TRUE(numbers.isWhole()) << what << " " << step.formula.numbers;
            EXPECT_EQ(digits(numbers.numerator), digits(step.formula.value))
                << what << " " << step.title << ": " << step.formula.numbers;
        }
    }
}

std::vector<Workload> workloads()
{
    return {
        {.batch = 3, .sequence = 1024},
        {.phase = Phase::decode, .batch = 4, .context = 777},
        {.phase = Phase::train, .batch = 2, .sequence = 33, .checkpointing = Checkpointing::full}};
}

TEST(Derivation, OfEveryPresetAddsUpUnderEveryLens)
{
    for (const Preset& preset : presets()) {
        for (const Workload& workload : workloads()) {
            Scenario scenario{preset.make(), workload};
            scenario.model.embedding.positionRows = 8192;
            repair(scenario);
            ASSERT_LE(scenario.model.runs.size(), kMaxDerivedRuns) << preset.id;
            for (const Lens& lens : lenses()) {
                const std::string what = std::string(preset.id) + " " + std::string(lens.name);
                if (!isDefined(lens.id, workload.phase)) {
                    EXPECT_FALSE(derivationOf(scenario, lens.id).ok()) << what;
                    continue;
                }
                const Derivation derivation = derived(scenario, lens.id);
                expectStepsAddUp(derivation, lensTotal(scenario, lens.id).figure.value(), what);
                if (lens.id != LensId::perToken) { // its shares are rounded
                    expectNumbersGiveValues(derivation, what);
                }
            }
        }
    }
}

TEST(Derivation, OfEveryFfnAddsUp)
{
    for (const FfnSpec& ffn : test::ffnCases(12, 2)) {
        Scenario scenario{.workload = {.batch = 2, .sequence = 7}};
        scenario.model.dModel = 12;
        scenario.model.runs = {{Block{.mixer = NoMixer{}, .ffn = ffn}, 3}};
        if (!validated(scenario).ok()) {
            continue;
        }
        for (const LensId lens : {LensId::exact, LensId::matmul}) {
            const Derivation derivation = derived(scenario, lens);
            expectStepsAddUp(
                derivation, lensTotal(scenario, lens).figure.value(), test::describeFfn(ffn));
            expectNumbersGiveValues(derivation, test::describeFfn(ffn));
        }
    }
}

TEST(Derivation, OfGpt2IsTheOneOfTheTutorial)
{
    const Derivation derivation =
        derived({*presetNamed("gpt2"), {.sequence = 1024}}, LensId::matmul);

    const std::vector<DerivationStep>& steps = derivation.steps;
    ASSERT_EQ(steps.size(), 7);
    EXPECT_EQ(derivation.unit, "FLOPs");
    EXPECT_EQ(steps[0].title, "Projections");
    EXPECT_EQ(steps[0].formula.text, "8*d^2*B*S");
    EXPECT_EQ(steps[0].formula.path, "blocks[0]/attention");
    EXPECT_EQ(steps[0].formula.numbers, "8*768^2*1*1024");
    EXPECT_EQ(digits(steps[0].formula.value), "4831838208");
    EXPECT_EQ(steps[0].uses, 12);
    EXPECT_EQ(steps[1].title, "Scores and values");
    EXPECT_EQ(steps[1].formula.text, "4*d*B*S^2");
    EXPECT_EQ(steps[2].title, "FFN");
    EXPECT_EQ(steps[2].formula.text, "4*d*f*B*S");
    EXPECT_EQ(steps[2].simplified->text, "16*d^2*B*S");
    EXPECT_EQ(steps[2].given, "f = 4d");
    EXPECT_EQ(steps[3].role, DerivationRole::block);
    EXPECT_EQ(steps[3].simplified->text, "24*d^2*B*S + 4*d*B*S^2");
    EXPECT_EQ(steps[3].formula.numbers, "4831838208 + 3221225472 + 9663676416");
    EXPECT_EQ(steps[4].title, "Blocks 1 \xE2\x80\x93 12");
    EXPECT_EQ(steps[4].simplified->text, "24*d^2*L*B*S + 4*d*L*B*S^2");
    EXPECT_EQ(steps[4].formula.numbers, "12*17716740096");
    EXPECT_EQ(steps[5].title, "Head");
    EXPECT_EQ(steps[5].formula.text, "2*d*V*B*S");
    EXPECT_EQ(steps[6].formula.numbers, "12*17716740096 + 79047426048");
    EXPECT_EQ(digits(steps[6].formula.value), "291648307200");
}

TEST(Derivation, KnowsWhatACausalMaskLeaves)
{
    const Scenario gpt2{*presetNamed("gpt2"), {.sequence = 1024}};

    const Derivation derivation = derived(gpt2, LensId::matmul, PairsRule::exact);

    const DerivationStep& scores = stepNamed(derivation, "Scores and values");
    EXPECT_EQ(scores.formula.text, "2*d*B*S^2 + 2*d*B*S");
    EXPECT_NE(scores.reason.find("S(S + 1)/2"), std::string::npos) << scores.reason;
    EXPECT_EQ(digits(derivation.steps.back().formula.value), "272339828736");
}

TEST(Derivation, OfAGatedFfnHasThreeMatricesAndGroupedQueriesTheirOwnWidth)
{
    const Derivation derivation =
        derived({*presetNamed("llama-3-8b"), {.sequence = 1024}}, LensId::matmul);

    const DerivationStep& ffn = stepNamed(derivation, "FFN");
    EXPECT_EQ(ffn.formula.text, "6*d*f*B*S");
    EXPECT_EQ(ffn.given, "f = 7d/2"); // 14336 of 4096
    EXPECT_EQ(ffn.simplified->text, "21*d^2*B*S");
    EXPECT_NE(ffn.reason.find("three matrices"), std::string::npos) << ffn.reason;
    const DerivationStep& projections = stepNamed(derivation, "Projections");
    EXPECT_NE(projections.formula.text.find('G'), std::string::npos);
    EXPECT_NE(projections.reason.find("G heads"), std::string::npos) << projections.reason;
}

TEST(Derivation, OfExpertsCountsThoseThatATokenIsSentTo)
{
    const Derivation derivation =
        derived({*presetNamed("mixtral-8x7b"), {.sequence = 1024}}, LensId::matmul);

    EXPECT_EQ(stepNamed(derivation, "Routing").formula.text, "2*d*E*B*S");
    EXPECT_EQ(stepNamed(derivation, "Experts").formula.text, "6*d*f*k*B*S");
}

TEST(Derivation, OfEqualBlocksApartIsWrittenOnce)
{
    Scenario scenario{*presetNamed("gpt2"), {.sequence = 64}};
    const Block dense = scenario.model.runs.front().block;
    Block gated = dense;
    gated.ffn = GatedFfn{.dFf = 2048};
    scenario.model.runs = {{dense, 2}, {gated, 1}, {dense, 3}};

    const Derivation derivation = derived(scenario, LensId::matmul);

    const auto blocks = std::count_if(
        derivation.steps.begin(), derivation.steps.end(), [](const DerivationStep& step) {
            return step.role == DerivationRole::blocks;
        });
    EXPECT_EQ(blocks, 2);
    EXPECT_EQ(
        stepNamed(derivation, "Blocks 1 \xE2\x80\x93 2, 4 \xE2\x80\x93 6").formula.value,
        5 * stepNamed(derivation, "Blocks 1 \xE2\x80\x93 2, 4 \xE2\x80\x93 6, each").formula.value);
    EXPECT_EQ(stepNamed(derivation, "Block 3").formula.value > 0, true);
    expectStepsAddUp(derivation, lensTotal(scenario, LensId::matmul).figure.value(), "three runs");
}

TEST(Derivation, OfATrainingStepHasBothPasses)
{
    const Derivation derivation =
        derived({*presetNamed("gpt2"), {.phase = Phase::train, .sequence = 128}}, LensId::matmul);

    EXPECT_EQ(stepNamed(derivation, "Projections, backward").formula.value,
              2 * stepNamed(derivation, "Projections").formula.value);
}

TEST(Derivation, OfALensThatIsAFormulaHasItsTerms)
{
    const Scenario gpt2{*presetNamed("gpt2"), {.sequence = 1024}};

    const Derivation derivation = derived(gpt2, LensId::kaplan);

    ASSERT_EQ(derivation.steps.size(), 3);
    EXPECT_EQ(digits(derivation.steps.back().formula.value),
              digits(lensTotal(gpt2, LensId::kaplan).figure.value()));
}

TEST(Derivation, RefusesWhatWouldTakeMinutesOrIsNotLegal)
{
    Scenario scenario{*presetNamed("gpt2"), {.sequence = 16}};
    const BlockRun run = scenario.model.runs.front();
    scenario.model.runs.clear();
    for (int i = 0; i < 65; ++i) {
        BlockRun& added = scenario.model.runs.emplace_back(run);
        added.repeat = 1;
        added.block.ffn = DenseFfn{.dFf = 64 * (i + 1)};
    }
    EXPECT_EQ(derivationOf(scenario, LensId::matmul).error().message,
              "this stack has 65 runs of different blocks; a derivation is written of at most 64");

    Scenario illegal{*presetNamed("gpt2"), {.sequence = 0}};
    EXPECT_FALSE(derivationOf(illegal, LensId::matmul).ok());
}

} // namespace
} // namespace flopsmith
