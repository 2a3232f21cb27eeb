// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/measuring.h"

#include "core/model/presets.h"
#include "tests/core/protocol/workers.h"
#include "tests/ui/waiting.h"

#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <iostream>

namespace flopsmith::ui {
namespace {

using test::kLong;

std::vector<MeasuredPart> planAt(int sequence)
{
    return measuredParts({.model = *presetNamed("tiny"), .workload = {.sequence = sequence}});
}

bool allAre(const Measuring& measuring, PartState state)
{
    const auto& times = measuring.times();
    return !times.empty() && std::all_of(times.begin(), times.end(), [state](const PartTime& time) {
        return time.state == state;
    });
}

// Waits until a part runs.
bool waitForRunning(Measuring& measuring)
{
    QSignalSpy parts(&measuring, &Measuring::partChanged);
    return parts.count() > 0 || parts.wait(kLong);
}

// A program that hangs in its first measurement, and then says so in a file.
class HangingProgram
{
public:
    HangingProgram()
        : m_sign(m_folder.filePath(QStringLiteral("hangs")))
    {}

    Device device() const
    {
        return scripted(shellWorker(": > '" + m_sign.toStdString() + "'; sleep 100"));
    }

    bool waitUntilItHangs() const
    {
        return QTest::qWaitFor([this] { return QFile::exists(m_sign); }, kLong);
    }

private:
    QTemporaryDir m_folder;
    QString m_sign;
};

bool run(Measuring& measuring, const Device& device, int sequence = 8)
{
    QSignalSpy finished(&measuring, &Measuring::finished);
    measuring.start(planAt(sequence), device, 1.0);
    return finished.wait(kLong);
}

TEST(Measuring, FillsInPartByPart)
{
    Measuring measuring;
    QSignalSpy parts(&measuring, &Measuring::partChanged);
    QSignalSpy progress(&measuring, &Measuring::progressChanged);

    ASSERT_TRUE(run(measuring, scripted(shellWorker("measured"))));

    const int count = static_cast<int>(measuring.times().size());
    EXPECT_TRUE(allAre(measuring, PartState::settled));
    EXPECT_EQ(parts.count(), 2 * count); // running, then settled
    EXPECT_EQ(progress.first().at(0).toInt(), 0);
    EXPECT_EQ(progress.last().at(0).toInt(), count);
    EXPECT_EQ(progress.last().at(1).toInt(), count);
    EXPECT_EQ(measuring.times()[0].medianSeconds, 0.0061);
    ASSERT_TRUE(measuring.peaks().has_value());
    EXPECT_EQ(measuring.peaks()->flopsPerSecond, 1e11);
    EXPECT_EQ(measuring.deviceText(), QStringLiteral("test device"));
    EXPECT_FALSE(measuring.isRunning());
}

TEST(Measuring, TellsWhatSlowsTheDeviceDown)
{
    Described described{.device = "slow device"};
    described.environment.warning = "A library computes with narrow registers.";
    Measuring measuring;
    EXPECT_EQ(measuring.warning(), QString());

    ASSERT_TRUE(run(measuring, scripted(shellWorker("measured", described))));
    EXPECT_EQ(measuring.warning(), QStringLiteral("A library computes with narrow registers."));

    ASSERT_TRUE(run(measuring, scripted(shellWorker("measured"))));
    EXPECT_EQ(measuring.warning(), QString());
}

TEST(Measuring, GoingBackShowsTheEarlierTimesAtOnce)
{
    Measuring measuring;
    const Device device = scripted(shellWorker("measured"));
    ASSERT_TRUE(run(measuring, device, 8));
    ASSERT_TRUE(run(measuring, device, 16));

    measuring.start(planAt(8), device, 1.0);

    EXPECT_TRUE(allAre(measuring, PartState::settled));
    EXPECT_TRUE(measuring.peaks().has_value());
    measuring.forget(device);
    measuring.start(planAt(8), device, 1.0);
    EXPECT_TRUE(allAre(measuring, PartState::queued));
}

TEST(Measuring, AnotherDeviceHasItsOwnTimes)
{
    Measuring measuring;
    ASSERT_TRUE(run(measuring, scripted(shellWorker("measured"))));

    measuring.start(planAt(8), {"box", {"/nowhere/bench"}}, 1.0);

    EXPECT_TRUE(allAre(measuring, PartState::queued));
    EXPECT_FALSE(measuring.peaks().has_value());
    EXPECT_EQ(measuring.deviceText(), QStringLiteral("box"));
}

TEST(Measuring, TheNewestPlanWins)
{
    Measuring measuring;
    const Device device = scripted(
        shellWorker("case \"$line\" in *'\"sequence\":16'*) measured;; *) sleep 100;; esac"));
    QSignalSpy finished(&measuring, &Measuring::finished);
    measuring.start(planAt(8), device, 1.0);
    ASSERT_TRUE(waitForRunning(measuring));

    measuring.start(planAt(16), device, 1.0);
    ASSERT_TRUE(finished.wait(kLong));

    EXPECT_TRUE(allAre(measuring, PartState::settled));
    EXPECT_EQ(finished.count(), 1); // the overtaken run did not report its end
    EXPECT_EQ(measuring.plan(), planAt(16));
}

TEST(Measuring, CancelIsImmediateForTheWindowAndSoonForTheProgram)
{
    Measuring measuring;
    QSignalSpy finished(&measuring, &Measuring::finished);
    const HangingProgram program;
    measuring.start(planAt(8), program.device(), 1.0);
    ASSERT_TRUE(program.waitUntilItHangs());

    measuring.cancel();

    EXPECT_EQ(finished.count(), 1);
    EXPECT_FALSE(measuring.isRunning());
    EXPECT_TRUE(allAre(measuring, PartState::pending));
    EXPECT_TRUE(run(measuring, scripted(shellWorker("measured")))); // and it can start again
    EXPECT_TRUE(allAre(measuring, PartState::settled));
}

TEST(Measuring, ASilentDeviceIsToldUntilItIsCancelled)
{
    const HangingProgram program;
    Measuring measuring;
    measuring.setPatience(1);
    measuring.start(planAt(8), program.device(), 10.0);
    ASSERT_TRUE(program.waitUntilItHangs());

    ASSERT_TRUE(QTest::qWaitFor([&] { return measuring.silentSeconds() > 0; }, kLong));
    const auto& times = measuring.times();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            return std::any_of(times.begin(), times.end(), [](const PartTime& time) {
                return time.state == PartState::running && time.silentSeconds > 0;
            });
        },
        kLong));
    EXPECT_EQ(times.back().state, PartState::queued);

    measuring.cancel();
    EXPECT_EQ(measuring.silentSeconds(), 0);
    EXPECT_TRUE(allAre(measuring, PartState::pending)) << "nobody will come to them";
}

TEST(Measuring, PeaksAreMeasuredAgainWithoutTheParts)
{
    Measuring measuring;
    ASSERT_TRUE(run(measuring, scripted(shellWorker("measured"))));
    ASSERT_TRUE(measuring.peaks().has_value());
    const std::vector<PartTime> times = measuring.times();
    const double before = measuring.peaks()->flopsPerSecond;
    QSignalSpy parts(&measuring, &Measuring::partChanged);

    QSignalSpy finished(&measuring, &Measuring::finished);
    measuring.measurePeaks(2.0);
    EXPECT_TRUE(measuring.isMeasuringPeaks());
    ASSERT_TRUE(finished.wait(kLong));

    EXPECT_FALSE(measuring.isMeasuringPeaks());
    EXPECT_GE(measuring.peaks()->flopsPerSecond, before);
    EXPECT_EQ(measuring.times(), times);
    EXPECT_EQ(parts.count(), 0);
}

TEST(Measuring, ItEndsWithTheWindow)
{
    auto measuring = std::make_unique<Measuring>();
    const HangingProgram program;
    measuring->start(planAt(8), program.device(), 1.0);
    ASSERT_TRUE(program.waitUntilItHangs());
    QElapsedTimer timer;
    timer.start();

    measuring.reset();

    std::cout << "closing while a program does not listen: " << timer.elapsed() << " ms\n";
    EXPECT_LT(timer.elapsed(), 5000); // 250 ms on a machine that is not busy otherwise
}

TEST(Measuring, AnAbsentDeviceIsASentenceAndNoCrash)
{
    Measuring measuring;
    QSignalSpy failed(&measuring, &Measuring::failed);

    ASSERT_TRUE(run(measuring, {"this GPU", {"/nowhere/bench-cuda"}}));

    ASSERT_EQ(failed.count(), 1);
    EXPECT_TRUE(failed.first().at(0).toString().contains(QStringLiteral("\"this GPU\"")));
    EXPECT_TRUE(allAre(measuring, PartState::failed));
    EXPECT_FALSE(measuring.times()[0].sentence.empty());
}

TEST(Measuring, ADyingProgramFailsItsPartsOnly)
{
    Measuring measuring;
    QSignalSpy failed(&measuring, &Measuring::failed);
    const Device device =
        scripted(shellWorker("case \"$line\" in *residual*) measured;; *) kill -SEGV $$;; esac"));

    ASSERT_TRUE(run(measuring, device));

    EXPECT_EQ(failed.count(), 0);
    const auto plan = planAt(8);
    for (std::size_t i = 0; i < plan.size(); ++i) {
        const bool residual = std::holds_alternative<ResidualOperation>(plan[i].operation.what);
        EXPECT_EQ(measuring.times()[i].state, residual ? PartState::settled : PartState::failed);
    }
}

TEST(Measuring, AnEmptyPlanFinishes)
{
    Measuring measuring;
    QSignalSpy finished(&measuring, &Measuring::finished);

    measuring.start({}, scripted(shellWorker("measured")), 1.0);

    EXPECT_TRUE(finished.wait(kLong));
    EXPECT_EQ(measuring.partsDone(), 0);
}

} // namespace
} // namespace flopsmith::ui
