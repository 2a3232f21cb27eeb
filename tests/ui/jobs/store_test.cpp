// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "core/store/results_file.h"
#include "tests/core/protocol/workers.h"
#include "tests/ui/waiting.h"
#include "ui/jobs/measuring.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <random>

namespace flopsmith::ui {
namespace {

using test::kLong;

std::vector<MeasuredPart> plan()
{
    return measuredParts({.model = *presetNamed("tiny"), .workload = {.sequence = 8}});
}

class MeasuringWithStore : public testing::Test
{
protected:
    MeasuringWithStore()
        : file(folder.filePath(QStringLiteral("measurements.db")).toStdString())
    {}

    static bool run(Measuring& measuring, const Device& device)
    {
        QSignalSpy finished(&measuring, &Measuring::finished);
        measuring.start(plan(), device, 1.0);
        return finished.wait(kLong);
    }

    // As an earlier run of the program left it.
    void measureBefore(const Device& device)
    {
        Measuring earlier;
        earlier.useStore(file);
        ASSERT_TRUE(run(earlier, device));
    }

    static bool allStored(const Measuring& measuring)
    {
        const auto& times = measuring.times();
        return !times.empty() && std::all_of(times.begin(), times.end(), [](const PartTime& time) {
            return time.storedAt.has_value() && time.hasTime();
        });
    }

    static bool noneStored(const Measuring& measuring)
    {
        const auto& times = measuring.times();
        return std::none_of(times.begin(), times.end(), [](const PartTime& time) {
            return time.storedAt.has_value();
        });
    }

    QTemporaryDir folder;
    std::filesystem::path file;
};

TEST_F(MeasuringWithStore, StoredTimesStandAtOnceUntilTheyAreMeasuredAgain)
{
    // It measures as long as a file is not there.
    const std::string gate = folder.filePath(QStringLiteral("gate")).toStdString();
    const Device device =
        scripted(shellWorker("while [ -e '" + gate + "' ]; do sleep 0.02; done; measured"));
    measureBefore(device);
    std::ofstream(gate) << "closed";
    Measuring measuring;
    measuring.useStore(file);
    QSignalSpy finished(&measuring, &Measuring::finished);

    measuring.start(plan(), device, 1.0);

    EXPECT_TRUE(QTest::qWaitFor([&] { return allStored(measuring); }, kLong));
    EXPECT_TRUE(measuring.isRunning());
    EXPECT_EQ(measuring.partsDone(), 0);
    std::filesystem::remove(gate);
    ASSERT_TRUE(finished.count() > 0 || finished.wait(kLong));
    EXPECT_TRUE(noneStored(measuring));
    EXPECT_EQ(measuring.partsDone(), static_cast<int>(plan().size()));
}

TEST_F(MeasuringWithStore, WhatSettledBeforeStandsWhereTheNewTimesDoNot)
{
    const std::string noise = folder.filePath(QStringLiteral("noise")).toStdString();
    const std::string disturbed = "measured | sed 's/\"settled\":true/\"settled\":false/; "
                                  "s/\"waiting_share\":0.02/\"waiting_share\":0.4/'";
    const Device device = scripted(
        shellWorker("if [ -e '" + noise + "' ]; then " + disturbed + "; else measured; fi"));
    measureBefore(device);
    std::ofstream(noise) << "a compiler";
    Measuring measuring;
    measuring.useStore(file);

    ASSERT_TRUE(run(measuring, device));

    EXPECT_TRUE(QTest::qWaitFor([&] { return allStored(measuring); }, kLong));
    for (const PartTime& time : measuring.times()) {
        EXPECT_EQ(time.state, PartState::settled);
        EXPECT_EQ(time.sentence, "Other programs had the processor for 40.0 % of the time.");
    }
    EXPECT_EQ(measuring.partsDone(), static_cast<int>(plan().size()));
}

TEST_F(MeasuringWithStore, TimesThatDifferFromTheStoredOnesHaveNotSettled)
{
    const std::string busy = folder.filePath(QStringLiteral("busy")).toStdString();
    const Device device = scripted(shellWorker(
        "if [ -e '" + busy
        + "' ]; then measured | sed 's/\"median_seconds\":[^,]*/\"median_seconds\":9/'; "
          "else measured; fi"));
    measureBefore(device);
    std::ofstream(busy) << "neighbours";
    Measuring measuring;
    measuring.useStore(file);

    ASSERT_TRUE(run(measuring, device));

    const auto notOne = [](const PartTime& time) {
        return time.state == PartState::notSettled && time.medianSeconds == 9.0 && !time.storedAt;
    };
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return std::all_of(measuring.times().begin(), measuring.times().end(), notOne); },
        kLong));
    EXPECT_TRUE(measuring.times()[0].sentence.ends_with(" to 9 s."))
        << measuring.times()[0].sentence;
    measuring.start(plan(), device, 1.0); // known now
    EXPECT_TRUE(notOne(measuring.times()[0]));
}

// What an earlier run of the program may have kept of the parts of a plan.
std::vector<StoredResult> someEarlier(std::mt19937& random)
{
    std::vector<StoredResult> earlier;
    for (const MeasuredPart& part : plan()) {
        Measured measured = someMeasured();
        measured.id = 0;
        measured.medians.clear();
        measured.settled = random() % 2 == 0;
        measured.medianSeconds = random() % 2 == 0 ? measured.medianSeconds : 9.0;
        if (random() % 3 > 0) {
            earlier.push_back({questionOf(part.operation, {}), measured, 5});
        }
    }
    return earlier;
}

bool isSame(const Measured& a, const Measured& b)
{
    return a.medianSeconds == b.medianSeconds && a.settled == b.settled && a.medians == b.medians;
}

TEST_F(MeasuringWithStore, TheWindowAndTheCommandLineMeasureAndKeepTheSame)
{
    const Device device =
        scripted(shellWorker("case \"$line\" in *residual*) measured | sed "
                             "'s/\"settled\":true/\"settled\":false/';; *) measured;; esac"));
    const Described described{.device = "test device"};
    std::mt19937 random(1);
    int merged = 0; // with a stored median
    for (int round = 0; round < 6; ++round) {
        const std::string name = std::to_string(round) + ".db";
        const std::filesystem::path windowFile = file.parent_path() / ("window" + name);
        const std::filesystem::path commandFile = file.parent_path() / ("command" + name);
        auto commandStore = MeasurementStore::open(commandFile);
        {
            auto windowStore = MeasurementStore::open(windowFile);
            for (const StoredResult& result : someEarlier(random)) {
                ASSERT_TRUE(windowStore->keep(described, result).ok());
                ASSERT_TRUE(commandStore->keep(described, result).ok());
            }
        }

        Measuring window;
        window.useStore(windowFile);
        ASSERT_TRUE(run(window, device));
        DeviceSession session(device);
        const StoredMeasuring command = measureWithStore(
            session, plan(), {.budgetSeconds = 1.0}, {}, &*commandStore, Reuse::no, {});

        for (std::size_t i = 0; i < plan().size(); ++i) {
            const auto shown = window.result(static_cast<int>(i));
            ASSERT_TRUE(shown.has_value());
            EXPECT_TRUE(isSame(*shown, *command.outcome.parts[i].measured)) << plan()[i].path;
            merged += shown->medians.size() > 1 ? 1 : 0;
        }
        EXPECT_EQ(window.peaks()->flopsPerSecond, command.outcome.peaks->flopsPerSecond);
        auto windowStore = MeasurementStore::open(windowFile);
        const auto kept = recalled(*windowStore, device, plan(), {});
        const auto keptByCommand = recalled(*commandStore, device, plan(), {});
        for (std::size_t i = 0; i < plan().size(); ++i) {
            EXPECT_TRUE(
                isSame(*kept->outcome.parts[i].measured, *keptByCommand->outcome.parts[i].measured))
                << plan()[i].path;
        }
    }
    EXPECT_GT(merged, 0);
}

TEST_F(MeasuringWithStore, TimesOfAnotherProgramStandNoLongerThanTheDeviceIsSilent)
{
    const Device device = scripted(shellWorker("sleep 100"));
    {
        auto store = MeasurementStore::open(file);
        Described old; // as the device was the last time
        old.device = "test device";
        old.libraries = {{"FFTW", "1.0"}};
        for (const MeasuredPart& part : plan()) {
            ASSERT_TRUE(store->keep(old, {questionOf(part.operation, {}), someMeasured(), 5}).ok());
        }
        ASSERT_TRUE(store->seen(device, old, 5).ok());
    }
    Measuring measuring;
    measuring.useStore(file);
    measuring.recall(plan(), device);
    ASSERT_TRUE(QTest::qWaitFor([&] { return allStored(measuring); }, kLong));

    measuring.start(plan(), device, 1.0);

    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return noneStored(measuring) && measuring.times()[0].state == PartState::running; },
        kLong));
    const auto outdated =
        MeasurementStore::open(file)->list({.age = ResultSelection::Age::outdated});
    EXPECT_EQ(outdated->size(), 1U);
}

TEST_F(MeasuringWithStore, RecallingMeasuresNothing)
{
    const Device device = scripted(shellWorker("measured"));
    measureBefore(device);
    Measuring measuring;
    measuring.useStore(file);
    QSignalSpy finished(&measuring, &Measuring::finished);

    measuring.recall(plan(), device);

    EXPECT_TRUE(QTest::qWaitFor([&] { return allStored(measuring); }, kLong));
    EXPECT_FALSE(measuring.isRunning());
    EXPECT_EQ(measuring.deviceText(), QStringLiteral("test device"));
    EXPECT_TRUE(measuring.peaks().has_value());
    EXPECT_EQ(finished.count(), 0);
}

TEST_F(MeasuringWithStore, AnImportedDeviceShowsWhatIsStoredAndIsNeverAsked)
{
    measureBefore(scripted(shellWorker("measured")));
    {
        auto store = MeasurementStore::open(file);
        const auto mine = store->list();
        ASSERT_TRUE(store->import(*mine, "lab").ok());
    }
    Measuring measuring;
    measuring.useStore(file);
    QSignalSpy imported(&measuring, &Measuring::devicesImported);
    measuring.lookForImports();
    ASSERT_TRUE(imported.wait(kLong));
    const auto devices = imported.first().at(0).value<std::vector<Device>>();
    ASSERT_EQ(devices.size(), 1U);
    EXPECT_EQ(devices.front().name, "CPU of lab (imported)");
    QSignalSpy finished(&measuring, &Measuring::finished);

    measuring.start(plan(), devices.front(), 1.0);

    EXPECT_EQ(finished.count(), 1);
    EXPECT_FALSE(measuring.isRunning());
    EXPECT_TRUE(QTest::qWaitFor([&] { return allStored(measuring); }, kLong));
    EXPECT_EQ(measuring.deviceText(), QStringLiteral("test device of lab"));
}

TEST_F(MeasuringWithStore, AnAbsentDeviceFailsItsPartsToo)
{
    Measuring measuring;
    measuring.useStore(file);
    QSignalSpy failed(&measuring, &Measuring::failed);

    ASSERT_TRUE(run(measuring, {"this GPU", {"/nowhere/bench-cuda"}}));

    EXPECT_EQ(failed.count(), 1);
    for (const PartTime& time : measuring.times()) {
        EXPECT_EQ(time.state, PartState::failed);
        EXPECT_FALSE(time.sentence.empty());
    }
}

TEST_F(MeasuringWithStore, AStoreThatCannotBeUsedIsASentenceAndMeasuringGoesOn)
{
    std::ofstream(file) << "My thesis." << std::string(5000, '.');
    Measuring measuring;
    QSignalSpy failed(&measuring, &Measuring::storeFailed);
    measuring.useStore(file);

    ASSERT_TRUE(run(measuring, scripted(shellWorker("measured"))));

    EXPECT_TRUE(failed.count() == 1 || failed.wait(kLong));
    EXPECT_EQ(failed.count(), 1);
    EXPECT_TRUE(failed.first().at(0).toString().contains(QStringLiteral("no SQLite database")));
    EXPECT_TRUE(measuring.times()[0].hasTime());
}

} // namespace
} // namespace flopsmith::ui
