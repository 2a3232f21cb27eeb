// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/shared/verify.h"

#include "app/bench/jobs/cpu_backend.h"
#include "app/bench/jobs/kernels.h"
#include "app/bench/shared/verify_plan.h"
#include "app/bench/shared/verify_rows.h"
#include "core/ffn/ffn_variants.h"
#include "core/mixer/cross_attention.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith::bench {
namespace {

constexpr Count kOperations = 10'000'000;

// A kernel's output with one value changed.
class Spoiled : public Kernel
{
public:
    Spoiled(const Kernel& kernel, float change, std::size_t which = 0)
        : m_output(kernel.output().begin(), kernel.output().end())
    {
        m_output.at(which) += change;
    }

    void run() override {}
    std::span<const float> output() const override { return m_output; }

private:
    std::vector<float> m_output;
};

// Runs the operation, changes one value of its output, and verifies that within so many operations.
Result<CheckRecord> checked(const Operation& operation, float change, Count operations)
{
    const Operands operands = drawnOperands(operation, {});
    const auto kernel = prepared(operation, operands.weights, operands.inputs, {1});
    EXPECT_TRUE(kernel.ok());
    (*kernel)->run();
    return verify(operation,
                  operands,
                  Spoiled(**kernel, change),
                  CpuBackend({1}),
                  ReferencePrecision::float64,
                  operations);
}

Result<CheckRecord> spoiledCheck(const Operation& operation, float change)
{
    return checked(operation, change, kOperations);
}

// What is too much for so few operations is checked on some of its tokens.
CheckRecord partlyChecked(const Operation& operation, Count operations)
{
    const Result<CheckRecord> few = checked(operation, 0.0F, operations);
    EXPECT_TRUE(few.ok()) << (few.ok() ? "" : few.error().message);
    return few.ok() ? *few : CheckRecord{};
}

TEST(Verify, OneWrongValueOfAnyPartIsNoticed)
{
    for (const char* preset : {"tiny", "bert-base"}) {
        Scenario scenario{.model = *presetNamed(preset), .workload = {.batch = 2, .sequence = 6}};
        scenario.model.dModel = 48;
        scenario.model.embedding.vocab = 90;
        for (const MeasuredPart& part : measuredParts(scenario)) {
            EXPECT_TRUE(spoiledCheck(part.operation, 0.0F).ok()) << part.path;
            const auto wrong = spoiledCheck(part.operation, 0.05F);
            ASSERT_FALSE(wrong.ok()) << part.path;
            EXPECT_NE(wrong.error().message.find("differs from the reference"), std::string::npos);
            EXPECT_FALSE(spoiledCheck(part.operation, std::nanf("")).ok()) << part.path;
        }
    }
}

// Of every tensor of the output, so of every gradient, one value is spoiled in turn.
TEST(VerifyBackward, OneWrongValueOfAnyGradientIsNoticed)
{
    for (const char* preset : {"tiny", "bert-base", "gpt2-ultra-efficient-ffn"}) {
        Scenario scenario{.model = *presetNamed(preset), .workload = {.batch = 2, .sequence = 6}};
        scenario.model.dModel = 48;
        scenario.model.embedding.vocab = 90;
        repair(scenario);
        for (const MeasuredPart& part : measuredParts(scenario, ComputePass::backward)) {
            const Operands operands = drawnOperands(part.operation, {});
            const auto kernel = prepared(part.operation, operands.weights, operands.inputs, {2});
            ASSERT_TRUE(kernel.ok()) << part.path;
            (*kernel)->run();
            const auto check = [&](const Kernel& judged) {
                return verify(part.operation,
                              operands,
                              judged,
                              CpuBackend({2}),
                              ReferencePrecision::float64,
                              Count{100'000'000});
            };
            const auto right = check(**kernel);
            ASSERT_TRUE(right.ok()) << part.path << ": " << right.error().message;
            EXPECT_EQ(right->compared, std::ssize((*kernel)->output())) << part.path;
            EXPECT_EQ(right->tokens, 12) << part.path;
            EXPECT_FALSE(check(Spoiled(**kernel, 0.5F)).ok()) << part.path;
            EXPECT_FALSE(check(Spoiled(**kernel, 0.5F, (*kernel)->output().size() - 1)).ok())
                << part.path;
        }
    }
}

TEST(VerifyBackward, WhatIsTooMuchIsCheckedOnFewerTokens)
{
    const Operation operation{.what = FfnSpec(DenseFfn{.dFf = 200}),
                              .dModel = 50,
                              .sequence = 64,
                              .context = 64,
                              .pass = ComputePass::backward};

    const CheckRecord few = partlyChecked(operation, Count{1'000'000});

    EXPECT_LT(few.tokens, 64);
    EXPECT_EQ(few.ofTokens, 64);
    EXPECT_NE(few.sentence.find("all gradients"), std::string::npos);
}

TEST(Verify, CrossAttentionThatIsTooMuchIsCheckedOnFewerTokensOfTheSourceToo)
{
    for (const ComputePass pass : {ComputePass::forward, ComputePass::backward}) {
        const Operation operation{.what = MixerSpec(CrossAttention{}),
                                  .dModel = 96,
                                  .batch = 2,
                                  .sequence = 8,
                                  .context = 8,
                                  .source = 300,
                                  .pass = pass};

        const CheckRecord few = partlyChecked(operation, Count{2'000'000});

        EXPECT_LE(few.tokens, 8);
        EXPECT_EQ(few.ofTokens, 16);
    }
}

TEST(Verify, AMixerThatIsTooMuchIsCheckedOnFewerTokens)
{
    const Operation operation{
        .what = MixerSpec(Attention{}), .dModel = 96, .batch = 4, .sequence = 64, .context = 80};

    const CheckRecord few = partlyChecked(operation, Count{2'000'000});

    EXPECT_LT(few.tokens, 64);
    EXPECT_EQ(few.ofTokens, 256);
    EXPECT_NE(few.sentence.find("one sequence"), std::string::npos);
}

TEST(Verify, ATokenThatSeesEarlierOnesIsCheckedWithThem)
{
    const TokenFeedbackFfn feedback{.steps = 3, .rank = 8, .feedback = Feedback::previousToken};
    ComposedFfn composed;
    composed.mode = CompositionMode::sequential;
    composed.stages = {{feedback}, {PolynomialFfn{}}, {feedback}};
    for (const FfnSpec& ffn : {FfnSpec(feedback), FfnSpec(composed)}) {
        const Operation operation{
            .what = ffn, .dModel = 24, .batch = 2, .sequence = 30, .context = 30};
        const auto check = spoiledCheck(operation, 0.0F);

        ASSERT_TRUE(check.ok()) << check.error().message;
        EXPECT_EQ(check->ofTokens, 60);
        EXPECT_FALSE(spoiledCheck(operation, 0.05F).ok());
    }
}

TEST(Verify, ALargeVocabularyIsCheckedOnSomeLogits)
{
    const Operation operation{.what = HeadOperation{.head = {.bias = true}, .vocab = 5000},
                              .dModel = 16,
                              .sequence = 3,
                              .context = 3};
    const auto check = spoiledCheck(operation, 0.0F);

    ASSERT_TRUE(check.ok());
    EXPECT_EQ(check->compared, 3 * kMaxLogits);
    EXPECT_EQ(check->sentence,
              "3 of 3 tokens at 2048 of 5000 logits agree with the reference in double precision");
}

// Keeps the larger of two values that differ by less than a rounding error: a choice that single
// precision may make either way.
std::vector<double> keepLarger(double first, double second)
{
    return first > second ? std::vector<double>{first, 0.0} : std::vector<double>{0.0, second};
}

TEST(CompareRows, ATieDecidedTheOtherWayAgrees)
{
    const double second = 1.0 + 1e-9;
    const std::vector<float> found{1.0F, 0.0F, 2.0F, 0.0F};
    std::vector<double> expected = keepLarger(1.0, second);
    expected.insert(expected.end(), {2.0, 0.0});
    const auto moved = [&](std::size_t row, double relative, std::uint64_t seed) {
        EXPECT_EQ(row, 0U);
        return keepLarger(1.0 + (seed % 2 == 0 ? relative : -relative) / 2, second);
    };

    EXPECT_FALSE(compareRows(2, 1.0, found, expected, {}).agreement.agrees);
    const RowsAgreement compared = compareRows(2, 1.0, found, expected, moved);

    EXPECT_TRUE(compared.agreement.agrees);
    EXPECT_EQ(compared.moved, 1);
    EXPECT_LT(compared.agreement.relativeError(), 1e-5);
}

// Experts are chosen by sums of d terms: their rounding errors are larger than the input's.
TEST(CompareRows, ATieOfLongSumsIsLookedForFurtherAway)
{
    const double second = 1.0 + 60 * std::numeric_limits<float>::epsilon();
    const std::vector<float> found{1.0F, 0.0F};
    const std::vector<double> expected = keepLarger(1.0, second);
    const auto moved = [&](std::size_t, double relative, std::uint64_t) {
        return keepLarger(1.0 + relative / 2, second);
    };

    EXPECT_FALSE(compareRows(1, 16, found, expected, moved).agreement.agrees);
    EXPECT_TRUE(compareRows(1, 10'000, found, expected, moved).agreement.agrees);
}

// Routing goes through the real router whatever its skew, and the check finds it right.
TEST(Verify, MixturesOfExpertsAgreeForBalancedAndSkewedRouting)
{
    for (const double skew : {0.0, 1.0, 4.0}) {
        const FfnSpec moe =
            MoeFfn{.experts = 32, .perToken = 4, .dFf = 24, .sharedExperts = 1, .skew = skew};
        const Operation operation{
            .what = moe, .dModel = 48, .batch = 2, .sequence = 50, .context = 50};

        EXPECT_TRUE(spoiledCheck(operation, 0.0F).ok()) << skew;
        EXPECT_FALSE(spoiledCheck(operation, 0.05F).ok()) << skew;
    }
}

TEST(Operands, ASkewedRoutersColumnsGetSmaller)
{
    const Operation operation{.what = FfnSpec(MoeFfn{.experts = 4, .dFf = 8, .skew = 1.0}),
                              .dModel = 4000,
                              .sequence = 1,
                              .context = 1};
    const std::vector<float> router = drawnOperands(operation, {}).weights.front();
    for (std::size_t e = 0; e < 4; ++e) {
        double squares = 0;
        for (std::size_t i = e; i < router.size(); i += 4) {
            squares += static_cast<double>(router[i]) * static_cast<double>(router[i]);
        }
        EXPECT_NEAR(std::sqrt(squares), 1.0 / static_cast<double>(e + 1), 0.05) << e;
    }
}

TEST(CompareRows, AWrongChoiceDoesNotAgree)
{
    const std::vector<float> found{1.0F, 0.0F};
    const std::vector<double> expected = keepLarger(1.0, 1.1);
    const auto moved = [](std::size_t, double relative, std::uint64_t) {
        return keepLarger(1.0 + relative, 1.1);
    };

    EXPECT_FALSE(compareRows(1, 1.0, found, expected, moved).agreement.agrees);
}

} // namespace
} // namespace flopsmith::bench
