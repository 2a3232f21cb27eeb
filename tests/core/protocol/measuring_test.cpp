// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/measuring/measuring.h"

#include "core/model/presets.h"
#include "tests/core/protocol/workers.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <thread>

namespace flopsmith {
namespace {

std::vector<MeasuredPart> tinyPlan()
{
    return measuredParts({.model = *presetNamed("tiny"), .workload = {.sequence = 8}});
}

// What one run of measureParts() reported.
struct Seen
{
    MeasuringOutcome outcome;
    std::vector<std::pair<int, PartStage>> steps;
    std::vector<std::string> silences;
    int starts = 0;
};

Seen run(const Device& device,
         KnownResults& known,
         const MeasuringOptions& options = {},
         const std::stop_token& stop = {},
         const std::function<void(int, const PartResult&)>& alsoPart = {})
{
    DeviceSession session(device);
    Seen seen;
    const MeasuringObserver observer{
        .described = {},
        .peaks = {},
        .part =
            [&](int part, const PartResult& result) {
                seen.steps.emplace_back(part, result.stage);
                if (alsoPart) {
                    alsoPart(part, result);
                }
            },
        .progress = {},
        .silence = [&](const std::string& sentence) { seen.silences.push_back(sentence); }};
    seen.outcome = measureParts(session, tinyPlan(), options, stop, known, observer);
    seen.starts = session.starts();
    return seen;
}

bool allAre(const MeasuringOutcome& outcome, PartStage stage)
{
    return std::all_of(outcome.parts.begin(), outcome.parts.end(), [stage](const PartResult& part) {
        return part.stage == stage;
    });
}

// A name in a folder of this test's own, which does not exist yet.
std::filesystem::path freshFile()
{
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    const std::filesystem::path file =
        std::filesystem::path(testing::TempDir()) / (std::string("flopsmith_") + test->name());
    std::filesystem::remove(file);
    return file;
}

TEST(Measuring, EveryPartRunsInOrderAndIsMeasured)
{
    KnownResults known;
    const Seen seen = run(scripted(shellWorker("measured")), known);

    EXPECT_TRUE(allAre(seen.outcome, PartStage::measured));
    EXPECT_FALSE(seen.outcome.cancelled);
    ASSERT_TRUE(seen.outcome.peaks.has_value());
    EXPECT_EQ(seen.outcome.peaks->flopsPerSecond, 1e11);
    EXPECT_EQ(seen.outcome.described->device, "test device");
    ASSERT_EQ(seen.steps.size(), 2 * seen.outcome.parts.size());
    for (std::size_t i = 0; i < seen.steps.size(); ++i) {
        EXPECT_EQ(seen.steps[i].first, static_cast<int>(i / 2));
        EXPECT_EQ(seen.steps[i].second, i % 2 == 0 ? PartStage::running : PartStage::measured);
    }
    EXPECT_EQ(seen.starts, 1);
}

TEST(Measuring, KnownPartsAreThereAtOnceWithoutTheDevice)
{
    KnownResults known;
    run(scripted(shellWorker("measured")), known);

    const Seen again = run({"a test", {"/nowhere"}}, known);

    EXPECT_TRUE(allAre(again.outcome, PartStage::measured));
    EXPECT_EQ(again.starts, 0);
}

TEST(Measuring, ARefusalIsAFailedPartWithTheDevicesSentence)
{
    KnownResults known;
    const Seen seen = run(scripted(shellWorker("failure")), known);

    EXPECT_TRUE(allAre(seen.outcome, PartStage::failed));
    EXPECT_EQ(seen.outcome.parts[0].code, FailureCode::memory);
    EXPECT_EQ(seen.outcome.parts[0].sentence, "It needs 9 bytes.");
    EXPECT_EQ(seen.starts, 1);
}

TEST(Measuring, AProgramThatDiesOnceIsStartedAgainForTheSamePart)
{
    const std::filesystem::path died = freshFile();
    const std::string dieOnce = "if [ ! -e '" + died.string() + "' ]; then : > '" + died.string()
        + "'; kill -KILL $$; fi; ";
    KnownResults known;
    const Seen seen = run(scripted(shellWorker(dieOnce + "measured")), known);

    EXPECT_TRUE(allAre(seen.outcome, PartStage::measured));
    EXPECT_EQ(seen.starts, 2);
}

TEST(Measuring, AProgramThatAlwaysDiesFailsEveryPartWithASentence)
{
    KnownResults known;
    const Seen seen = run(scripted(shellWorker("exit 3")), known);

    EXPECT_TRUE(allAre(seen.outcome, PartStage::failed));
    EXPECT_NE(seen.outcome.parts[0].sentence.find("exit code 3"), std::string::npos);
    EXPECT_FALSE(seen.outcome.unavailable.has_value());
    EXPECT_EQ(seen.starts, 2 * static_cast<int>(seen.outcome.parts.size()));
}

TEST(Measuring, ABabblingProgramFailsEveryPart)
{
    KnownResults known;
    const Seen seen = run(scripted(shellWorker("head -c 200 /dev/urandom; echo")), known);

    EXPECT_TRUE(allAre(seen.outcome, PartStage::failed));
    EXPECT_NE(seen.outcome.parts[0].sentence.find("protocol"), std::string::npos);
}

MeasuringOptions impatient()
{
    MeasuringOptions options{.budgetSeconds = 0.0};
    options.patience = Milliseconds(300);
    options.peaks = WithPeaks::no;
    return options;
}

TEST(Measuring, AfterASecondSilenceTheRestIsNotAsked)
{
    KnownResults known;
    const Seen seen = run(scripted(shellWorker("sleep 100")), known, impatient());

    EXPECT_TRUE(allAre(seen.outcome, PartStage::failed));
    for (const PartResult& part : seen.outcome.parts) {
        EXPECT_NE(part.sentence.find("has not answered"), std::string::npos);
        EXPECT_TRUE(part.workerFailed);
    }
    EXPECT_TRUE(seen.outcome.silent);
    EXPECT_FALSE(seen.outcome.unavailable.has_value());
    EXPECT_EQ(seen.starts, 2);
    EXPECT_EQ(seen.silences.size(), 1U); // told before it is started once more
}

TEST(Measuring, ADeviceThatCompilesIsWaitedForAsItSays)
{
    const std::string slow = "sleep 0.5; measured";
    for (const double preparing : {0.0, 60.0}) {
        KnownResults known;
        const Described described{.device = "compiler", .preparingSeconds = preparing};
        const Seen seen = run(scripted(shellWorker(slow, described)), known, impatient());

        EXPECT_EQ(allAre(seen.outcome, PartStage::measured), preparing > 0.0);
        EXPECT_EQ(seen.silences.empty(), preparing > 0.0);
    }
}

TEST(Measuring, OneSilenceIsForgivenAndTold)
{
    const std::filesystem::path hung = freshFile();
    const std::string hangOnce =
        "if [ ! -e '" + hung.string() + "' ]; then : > '" + hung.string() + "'; sleep 100; fi; ";
    KnownResults known;
    const Seen seen = run(scripted(shellWorker(hangOnce + "measured")), known, impatient());

    EXPECT_TRUE(allAre(seen.outcome, PartStage::measured));
    EXPECT_FALSE(seen.outcome.silent);
    EXPECT_EQ(seen.starts, 2);
    ASSERT_EQ(seen.silences.size(), 1U);
    EXPECT_NE(seen.silences[0].find("\"a test\" has not answered for"), std::string::npos);
}

TEST(Measuring, PeaksThatHangAreTheEndOfItToo)
{
    MeasuringOptions options = impatient();
    options.peaks = WithPeaks::yes;
    options.peaksSeconds = 0.01;
    const std::string deaf = "while read -r line; do case $line in *describe*) printf '%s\\n' '"
        + lineOf(Answer(Described{.id = 1})) + "';; *) sleep 100;; esac; done";
    KnownResults known;
    const Seen seen = run(scripted(deaf), known, options);

    EXPECT_NE(seen.outcome.noPeaks.find("has not answered"), std::string::npos);
    EXPECT_TRUE(allAre(seen.outcome, PartStage::failed));
    EXPECT_EQ(seen.starts, 2);
}

TEST(Measuring, AnAbsentDeviceFailsAllPartsWithOneSentence)
{
    KnownResults known;
    const Seen seen = run({"this GPU", {"/nowhere/bench-cuda"}}, known);

    ASSERT_TRUE(seen.outcome.unavailable.has_value());
    EXPECT_NE(seen.outcome.unavailable->message.find("\"this GPU\" is not available"),
              std::string::npos);
    EXPECT_TRUE(allAre(seen.outcome, PartStage::failed));
}

TEST(Measuring, ACancelKeepsWhatIsMeasuredAndPutsTheRestBack)
{
    KnownResults known;
    std::stop_source stop;
    const Seen seen = run(scripted(shellWorker("measured")),
                          known,
                          {},
                          stop.get_token(),
                          [&](int part, const PartResult& result) {
                              if (part == 1 && result.stage == PartStage::running) {
                                  stop.request_stop();
                              }
                          });

    EXPECT_TRUE(seen.outcome.cancelled);
    EXPECT_EQ(seen.outcome.parts[0].stage, PartStage::measured);
    for (std::size_t i = 1; i < seen.outcome.parts.size(); ++i) {
        EXPECT_EQ(seen.outcome.parts[i].stage, PartStage::waiting);
    }
}

TEST(Measuring, TheBudgetIsSharedAndWhatIsLeftOverPassesOn)
{
    EXPECT_DOUBLE_EQ(budgetOfNext(10, 0, 5, 5), 2.0);
    EXPECT_DOUBLE_EQ(budgetOfNext(10, 1, 3, 5), 3.0);
    EXPECT_DOUBLE_EQ(budgetOfNext(10, 8, 1, 5), 2.0);
    EXPECT_DOUBLE_EQ(budgetOfNext(10, 60, 3, 5), 1.0); // half of an equal share
    EXPECT_DOUBLE_EQ(budgetOfNext(0, 60, 3, 5), 0.1);
}

TEST(Measuring, ALargerOperationMayTakeLonger)
{
    Operation operation = denseOperation();
    const Milliseconds small = longestTime(operation, 1.0, Milliseconds(1000));
    operation.sequence = operation.context = 1 << 20;

    EXPECT_GE(small, Milliseconds(2000));
    EXPECT_LT(small, Milliseconds(3000));
    EXPECT_GT(longestTime(operation, 1.0, Milliseconds(1000)), Milliseconds(100'000));
}

TEST(Measuring, PrecisionAndCacheAreAskedForAndTellResultsApart)
{
    KnownResults known;
    const MeasuringOptions cold{.precision = ComputePrecision::bfloat16, .cache = CacheState::cold};
    const std::string refusing = "case $line in *bfloat16*cold*) measured;; *) failure;; esac";

    EXPECT_TRUE(
        allAre(run(scripted(shellWorker(refusing)), known, cold).outcome, PartStage::measured));
    EXPECT_TRUE(allAre(run(scripted(shellWorker(refusing)), known).outcome, PartStage::failed));
    const Operation operation = tinyPlan().front().operation;
    EXPECT_NE(known.find(questionOf(operation, cold)), nullptr);
    EXPECT_EQ(known.find(questionOf(operation, {.cache = CacheState::cold})), nullptr);
    EXPECT_EQ(known.find(questionOf(operation, {})), nullptr);
    EXPECT_EQ(known.find(questionOf(operation, {.threads = 1})), nullptr);
}

TEST(Measuring, PeaksThatCannotBeHadSayWhy)
{
    KnownResults known;
    const Seen seen =
        run(scripted("while read -r line; do case $line in *describe*) printf '%s\\n' '"
                     + lineOf(Answer(Described{.id = 1})) + "';; *) exit 5;; esac; done"),
            known);

    EXPECT_FALSE(seen.outcome.peaks.has_value());
    EXPECT_NE(seen.outcome.noPeaks.find("exit code 5"), std::string::npos) << seen.outcome.noPeaks;
}

// Each measurement fails if another one is going on in the same folder.
TEST(Measuring, ProgramsOnOneHostTakeTurns)
{
    const std::filesystem::path busy = freshFile();
    Described described;
    described.environment.hostId = "the same host";
    const std::string worker =
        shellWorker("if mkdir '" + busy.string() + "' 2>/dev/null; then sleep 0.01; rmdir '"
                        + busy.string() + "'; measured; else failure; fi",
                    described);

    std::array<MeasuringOutcome, 3> outcomes;
    {
        std::vector<std::jthread> threads;
        for (MeasuringOutcome& outcome : outcomes) {
            threads.emplace_back([&outcome, &worker] {
                KnownResults known;
                outcome = run(scripted(worker), known).outcome;
            });
        }
    }
    for (const MeasuringOutcome& outcome : outcomes) {
        EXPECT_TRUE(allAre(outcome, PartStage::measured));
    }
}

} // namespace
} // namespace flopsmith
