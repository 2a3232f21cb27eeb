// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/dense.h"
#include "core/mixer/attention.h"
#include "tests/app/bench/measure_answers.h"

#include <gtest/gtest.h>

#include <sys/resource.h>

namespace flopsmith::bench {
namespace {

using measuring::answerTo;
using measuring::failureOf;
using measuring::plenty;

TEST(Measure, AFlushThatDoesNotFitIsRefusedBeforehand)
{
    MeasureRequest request{.id = 5, .operation = {.what = ResidualOperation{}, .dModel = 16}};
    request.cache = CacheState::cold;
    const auto little = [] { return std::optional<std::int64_t>((256 + 32) << 20); };

    EXPECT_EQ(failureOf(measured(request, {}, {}, little)).code, FailureCode::memory);
}

TEST(Measure, AnImpossibleOperationIsRefused)
{
    Operation operation{.what = MixerSpec(Attention{}), .dModel = 100}; // 12 heads
    const Failure failure = failureOf(answerTo(operation));

    EXPECT_EQ(failure.code, FailureCode::badOperation);
    EXPECT_EQ(failure.id, 5);
    EXPECT_NE(failure.sentence.find("heads"), std::string::npos) << failure.sentence;
}

TEST(Measure, ABudgetThatMakesNoSenseIsRefused)
{
    const Answer answer =
        measured({.id = 5, .operation = {.what = ResidualOperation{}}, .budgetSeconds = -1.0},
                 {},
                 {},
                 plenty);

    EXPECT_EQ(failureOf(answer).code, FailureCode::badMessage);
}

TEST(Measure, AnAbsurdSizeIsRefusedWithItsBytes)
{
    const Operation operation{.what = ResidualOperation{},
                              .dModel = 65536,
                              .batch = 65536,
                              .sequence = 1 << 24,
                              .context = 1 << 24};
    for (const AvailableBytes& available :
         {AvailableBytes(plenty), AvailableBytes([] { return std::optional<std::int64_t>(); })}) {
        const Failure failure = failureOf(answerTo(operation, available));

        EXPECT_EQ(failure.code, FailureCode::memory);
        EXPECT_NE(failure.sentence.find("288230376151711744 bytes"), std::string::npos)
            << failure.sentence;
    }
}

TEST(Measure, NothingIsAllocatedForAJobThatDoesNotFit)
{
    const auto peakKilobytes = [] {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return usage.ru_maxrss;
    };
    const Operation operation{.what = HeadOperation{.head = {}, .vocab = 500'000},
                              .dModel = 1024,
                              .sequence = 64,
                              .context = 64}; // 2 GB of weights
    const long before = peakKilobytes();

    const Answer answer =
        answerTo(operation, [] { return std::optional<std::int64_t>(1'000'000'000); });

    EXPECT_EQ(failureOf(answer).code, FailureCode::memory);
    EXPECT_NE(failureOf(answer).sentence.find("2048262144 bytes"), std::string::npos);
    EXPECT_LT(peakKilobytes() - before, 100'000);
}

TEST(Measure, AKernelThatTakesTooMuchIsRefusedWhileItIsPrepared)
{
    // Operands and output are small; the hidden layer of all tokens is not.
    Operation operation{.what = FfnSpec(DenseFfn{.dFf = 4096}),
                        .dModel = 32,
                        .sequence = 65'536,
                        .context = 65'536,
                        .pass = ComputePass::backward};
    const auto little = [] { return std::optional<std::int64_t>((256 + 200) << 20); };

    const Failure failure = failureOf(answerTo(operation, little));

    EXPECT_EQ(failure.code, FailureCode::memory) << failure.sentence;
    EXPECT_NE(failure.sentence.find("more memory"), std::string::npos) << failure.sentence;
    operation.sequence = operation.context = 16;
    EXPECT_TRUE(std::holds_alternative<Measured>(answerTo(operation, little)));
}

TEST(Measure, WithoutRoomForDoublePrecisionTheReferenceIsSingle)
{
    const Operation operation{
        .what = FfnSpec(DenseFfn{.dFf = 4096}), .dModel = 1024, .sequence = 2, .context = 2};
    const auto tight = [] {
        return std::optional<std::int64_t>((std::int64_t{256} << 20) + 140'000'000);
    };

    const Answer roomy = answerTo(operation);
    const Answer narrow = answerTo(operation, tight);

    ASSERT_TRUE(std::holds_alternative<Measured>(roomy));
    ASSERT_TRUE(std::holds_alternative<Measured>(narrow)) << failureOf(narrow).sentence;
    EXPECT_NE(std::get<Measured>(roomy).check.sentence.find("double"), std::string::npos);
    EXPECT_NE(std::get<Measured>(narrow).check.sentence.find("single"), std::string::npos);
}

TEST(Measure, AStopIsAnsweredAsCancelled)
{
    std::stop_source stop;
    int reports = 0;
    const Answer answer = measured(
        {.id = 5, .operation = {.what = FfnSpec(DenseFfn{})}, .budgetSeconds = 100.0},
        stop.get_token(),
        [&](const Progress& progress) {
            EXPECT_EQ(progress.id, 5);
            if (progress.stage == "timing") {
                stop.request_stop();
            }
            ++reports;
        },
        plenty);

    EXPECT_EQ(failureOf(answer).code, FailureCode::cancelled);
    EXPECT_GE(reports, 3);
}

} // namespace
} // namespace flopsmith::bench
