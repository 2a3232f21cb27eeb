// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/measuring/device_pool.h"

#include "tests/core/protocol/workers.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

// Jobs of one part each, all of them different.
std::vector<MeasuredPart> partsOf(std::size_t job)
{
    Operation operation = denseOperation();
    operation.sequence = operation.context = static_cast<int>(job) + 1;
    MeasuredPart part{.path = "job", .title = "Job", .operation = operation};
    return {part};
}

class DevicePool : public testing::Test
{
protected:
    DevicePool()
    {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder = fs::path(testing::TempDir()) / (std::string("flopsmith_pool_") + test->name());
        fs::remove_all(folder);
        fs::create_directories(folder);
    }
    ~DevicePool() override { fs::remove_all(folder); }

    // A device that runs in the test's folder: `first` when it starts, `body` for each part.
    Device device(const std::string& name, const std::string& first, const std::string& body) const
    {
        Device made = scripted("cd '" + folder.string() + "'; " + first + "\n"
                               + shellWorker("printf '%s\\n' \"$line\" >> asked; " + body));
        made.name = name;
        return made;
    }

    // Requests to measure that any device got.
    std::size_t asked() const
    {
        std::ifstream in(folder / "asked");
        std::size_t lines = 0;
        for (std::string line; std::getline(in, line);) {
            ++lines;
        }
        return lines;
    }

    PoolEnd run(const std::vector<Device>& devices,
                std::size_t jobs,
                const std::stop_token& stop = {},
                const std::function<void()>& alsoResult = {})
    {
        MeasuringOptions options{.budgetSeconds = 0.0, .peaks = WithPeaks::no};
        options.patience = Milliseconds(400);
        PoolObserver observer;
        observer.result = [&](const PooledResult& result) {
            results.push_back(result);
            if (alsoResult) {
                alsoResult();
            }
        };
        observer.progress = [&](std::size_t done, std::span<const std::optional<std::size_t>> now) {
            EXPECT_GE(done, mostDone);
            EXPECT_EQ(now.size(), devices.size());
            mostDone = done;
        };
        return measureOnDevices(devices, jobs, partsOf, options, stop, observer, memory);
    }

    void expectAllMeasuredInOrder(std::size_t jobs) const
    {
        ASSERT_EQ(results.size(), jobs);
        for (std::size_t i = 0; i < jobs; ++i) {
            EXPECT_EQ(results[i].job, i);
            ASSERT_EQ(results[i].parts.size(), 1U);
            EXPECT_EQ(results[i].parts[0].stage, PartStage::measured)
                << results[i].parts[0].sentence;
            EXPECT_EQ(results[i].plan, partsOf(i));
        }
    }

    std::set<std::string> devicesOfResults() const
    {
        std::set<std::string> names;
        for (const PooledResult& result : results) {
            names.insert(result.device);
        }
        return names;
    }

    fs::path folder;
    std::vector<PooledResult> results;
    std::size_t mostDone = 0;
    PoolMemory memory;
};

constexpr const char* kWaitFor = "while [ ! -e marker ]; do sleep 0.01; done; ";

TEST_F(DevicePool, EveryJobIsMeasuredOnceAndResultsComeInOrder)
{
    // The first waits in its first job until the second has done one.
    const PoolEnd end = run({device("slow", "", std::string(kWaitFor) + "measured"),
                             device("fast", "", "measured; : > marker")},
                            12);

    expectAllMeasuredInOrder(12);
    EXPECT_EQ(asked(), 12U);
    EXPECT_EQ(mostDone, 12U);
    EXPECT_TRUE(devicesOfResults().count("fast") == 1);
    EXPECT_TRUE(end.lostDevices.empty());
    EXPECT_FALSE(end.stopped || end.allDevicesLost);
}

TEST_F(DevicePool, JobsOfADeviceThatDiesAreDoneByAnother)
{
    // Two answers, then death for good in the middle of a job; the other waits for that.
    const std::string mortal = "n=$(ls n.* 2>/dev/null | wc -l); : > n.$n; "
                               "if [ $n -ge 2 ]; then : > marker; kill -KILL $$; fi; measured";
    const PoolEnd end = run({device("mortal", "[ -e marker ] && exit 9", mortal),
                             device("other", "", std::string(kWaitFor) + "measured")},
                            8);

    expectAllMeasuredInOrder(8);
    EXPECT_EQ(asked(), 8U + 1U); // the one that it took to its grave
    EXPECT_EQ(devicesOfResults(), (std::set<std::string>{"mortal", "other"}));
    ASSERT_EQ(end.lostDevices.size(), 1U);
    EXPECT_NE(end.lostDevices[0].find("mortal"), std::string::npos);
    EXPECT_FALSE(end.allDevicesLost);
}

TEST_F(DevicePool, ABabblingDeviceIsGivenUpAfterThreeJobs)
{
    // Two attempts a job; the other waits until all six were made.
    const std::string garble = "echo x >> tries; [ $(wc -l < tries) -ge 6 ] && : > marker; "
                               "head -c 100 /dev/urandom; echo";
    const PoolEnd end = run(
        {device("babbling", "", garble), device("other", "", std::string(kWaitFor) + "measured")},
        9);

    expectAllMeasuredInOrder(9);
    EXPECT_EQ(devicesOfResults(), std::set<std::string>{"other"});
    ASSERT_EQ(end.lostDevices.size(), 1U);
    EXPECT_NE(end.lostDevices[0].find("protocol"), std::string::npos) << end.lostDevices[0];
}

TEST_F(DevicePool, JobsOfAHangingDeviceAreDoneByAnother)
{
    const PoolEnd end = run(
        {device("hanging", ": > marker; sleep 100", ""), device("other", kWaitFor, "measured")}, 5);

    expectAllMeasuredInOrder(5);
    EXPECT_EQ(asked(), 5U);
    ASSERT_EQ(end.lostDevices.size(), 1U);
    EXPECT_NE(end.lostDevices[0].find("has not answered"), std::string::npos) << end.lostDevices[0];
}

TEST_F(DevicePool, AJobThatKillsEveryDeviceHasFailedAndTheRestGoesOn)
{
    const std::string fragile =
        "case \"$line\" in *'\"sequence\":3,'*) kill -KILL $$;; *) measured;; esac";
    const PoolEnd end = run({device("one", "", fragile), device("two", "", fragile)}, 6);

    ASSERT_EQ(results.size(), 6U);
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(results[i].job, i);
        EXPECT_EQ(results[i].parts.at(0).stage, i == 2 ? PartStage::failed : PartStage::measured);
    }
    EXPECT_TRUE(end.lostDevices.empty());
    EXPECT_EQ(asked(), 5U + 4U); // each of the two asks its program twice
}

TEST_F(DevicePool, ARefusalIsAnAnswer)
{
    const PoolEnd end = run({device("one", "", "failure"), device("two", "", "failure")}, 4);

    ASSERT_EQ(results.size(), 4U);
    EXPECT_EQ(results[0].parts.at(0).code, FailureCode::memory);
    EXPECT_FALSE(results[0].parts.at(0).workerFailed);
    EXPECT_EQ(asked(), 4U);
    EXPECT_TRUE(end.lostDevices.empty());
}

TEST_F(DevicePool, WithoutAnyDeviceLeftItEndsWithWhatIsDone)
{
    const std::string mortal = "if [ $(wc -l < asked) -gt 3 ]; then : > marker; kill -KILL $$; fi; "
                               "measured";
    const PoolEnd end =
        run({device("mortal", "[ -e marker ] && exit 9", mortal), {"absent", {"/nowhere"}}}, 7);

    EXPECT_TRUE(end.allDevicesLost);
    EXPECT_EQ(end.lostDevices.size(), 2U);
    expectAllMeasuredInOrder(3);
}

TEST_F(DevicePool, StopsWithWhatIsDone)
{
    std::stop_source stop;
    const PoolEnd end = run({device("one", "", "measured"), device("two", "", "measured")},
                            1000,
                            stop.get_token(),
                            [&] { stop.request_stop(); });

    EXPECT_TRUE(end.stopped);
    EXPECT_FALSE(end.allDevicesLost);
    EXPECT_GE(results.size(), 1U);
    EXPECT_LT(results.size(), 1000U);
    std::set<std::size_t> jobs;
    for (const PooledResult& result : results) {
        EXPECT_EQ(result.parts.at(0).stage, PartStage::measured);
        EXPECT_TRUE(jobs.empty() || result.job > *jobs.rbegin());
        jobs.insert(result.job);
    }
}

TEST_F(DevicePool, WithoutJobsAsksNobody)
{
    const PoolEnd end = run({device("one", ": > asked", "measured")}, 0);

    EXPECT_TRUE(results.empty());
    EXPECT_FALSE(end.stopped || end.allDevicesLost);
    EXPECT_FALSE(fs::exists(folder / "asked"));
}

// Knows the jobs that `known` says, of the device with that number.
PoolMemory remembering(const std::function<std::optional<std::size_t>(std::size_t)>& known)
{
    PoolMemory memory;
    memory.home = [known](std::span<const MeasuredPart> plan) {
        return known(static_cast<std::size_t>(plan.front().operation.sequence) - 1);
    };
    memory.measure = [known](DeviceSession& session,
                             std::span<const MeasuredPart> plan,
                             const MeasuringOptions& options,
                             const std::stop_token& stop,
                             KnownResults& results,
                             const MeasuringObserver& observer) -> PooledParts {
        const auto job = static_cast<std::size_t>(plan.front().operation.sequence) - 1;
        const auto home = known(job);
        if (home && session.device().name == std::to_string(*home)) {
            PooledParts parts;
            parts.outcome.parts = {{.stage = PartStage::measured, .measured = someMeasured()}};
            parts.storedAt = {7};
            return parts;
        }
        return {.outcome = measureParts(session, plan, options, stop, results, observer)};
    };
    return memory;
}

TEST_F(DevicePool, WhatADeviceKnowsItDoesItselfAndNobodyMeasures)
{
    memory = remembering([](std::size_t job) { return std::optional(job % 2); });

    run({device("0", "", "measured"), device("1", "", "measured")}, 8);

    expectAllMeasuredInOrder(8);
    EXPECT_EQ(asked(), 0U);
    for (const PooledResult& result : results) {
        EXPECT_EQ(result.device, std::to_string(result.job % 2));
        EXPECT_EQ(result.storedAt, (std::vector<std::optional<std::int64_t>>{7}));
    }
}

TEST_F(DevicePool, WhatNobodyKnowsIsMeasuredByAnyone)
{
    memory = remembering(
        [](std::size_t job) { return job < 3 ? std::optional<std::size_t>(0) : std::nullopt; });

    run({device("0", "", "measured"), device("1", "", "measured")}, 8);

    expectAllMeasuredInOrder(8);
    EXPECT_EQ(asked(), 5U);
}

TEST_F(DevicePool, WhatALostDeviceKnewOthersMeasure)
{
    memory = remembering([](std::size_t job) {
        return job % 2 == 0 ? std::optional<std::size_t>(0) : std::nullopt;
    });
    const auto known = memory.measure;
    memory.measure = [known](DeviceSession& session, auto&&... all) -> PooledParts {
        // The first one turns out to be another machine than before, and not to answer.
        if (session.device().name == "0") {
            return {.outcome = measureParts(session, all...)};
        }
        return known(session, all...);
    };

    const PoolEnd end = run({device("0", "exit 3", ""), device("1", "", "measured")}, 6);

    expectAllMeasuredInOrder(6);
    EXPECT_EQ(devicesOfResults(), std::set<std::string>{"1"});
    EXPECT_EQ(end.lostDevices.size(), 1U);
}

TEST_F(DevicePool, ManyHangingDevicesStopTogether)
{
    std::stop_source stop;
    const std::vector<Device> devices(6, device("hanging", "", "progress; sleep 100"));
    std::jthread hand([&] {
        while (asked() < devices.size()) {
            std::this_thread::yield();
        }
        stop.request_stop();
    });

    const PoolEnd end = run(devices, 100, stop.get_token());

    EXPECT_TRUE(end.stopped);
    EXPECT_TRUE(results.empty());
}

TEST_F(DevicePool, ADeviceThatHangsTwiceIsGivenUpAtOnce)
{
    const PoolEnd end = run({device("hanging", "", "sleep 100")}, 5);

    EXPECT_TRUE(end.allDevicesLost);
    ASSERT_EQ(end.lostDevices.size(), 1U);
    EXPECT_NE(end.lostDevices[0].find("has not answered"), std::string::npos);
    EXPECT_EQ(asked(), 2U);
}

} // namespace
} // namespace flopsmith
