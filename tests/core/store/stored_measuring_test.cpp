// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/stored_measuring.h"

#include "core/model/presets.h"
#include "core/protocol/measuring/settling.h"
#include "tests/core/protocol/workers.h"
#include "tests/core/store/store_fixture.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

namespace flopsmith {
namespace {

using testing::HasSubstr;

std::vector<MeasuredPart> tinyPlan()
{
    return measuredParts({.model = *presetNamed("tiny"), .workload = {.sequence = 8}});
}

class StoredMeasuringTest : public test::StoreTest
{
protected:
    // A program that notes in a file how often it measured.
    Device device(const std::string& body = "measured") const
    {
        return scripted(shellWorker("echo x >> '" + (folder / "runs").string() + "'; " + body));
    }

    std::size_t runs() const { return bytes(folder / "runs").size() / 2; }

    static StoredMeasuring run(const Device& device,
                               MeasurementStore* store,
                               Reuse reuse = Reuse::yes)
    {
        DeviceSession session(device);
        return measureWithStore(session, tinyPlan(), {}, {}, store, reuse, {});
    }

    static std::size_t fromStore(const StoredMeasuring& measuring)
    {
        return static_cast<std::size_t>(
            std::count_if(measuring.storedAt.begin(), measuring.storedAt.end(), [](const auto& at) {
                return at.has_value();
            }));
    }
};

TEST_F(StoredMeasuringTest, AnIdenticalQuestionIsAnsweredFromTheStore)
{
    MeasurementStore store = open();
    const StoredMeasuring first = run(device(), &store);
    const std::size_t parts = tinyPlan().size();
    EXPECT_EQ(runs(), parts);
    EXPECT_EQ(fromStore(first), 0U);

    const StoredMeasuring second = run(device(), &store);

    EXPECT_EQ(runs(), parts);
    EXPECT_EQ(fromStore(second), parts);
    for (std::size_t i = 0; i < parts; ++i) {
        EXPECT_EQ(second.outcome.parts[i].measured->medianSeconds,
                  first.outcome.parts[i].measured->medianSeconds);
    }
    EXPECT_EQ(second.outcome.peaks->flopsPerSecond, first.outcome.peaks->flopsPerSecond);

    const StoredMeasuring fresh = run(device(), &store, Reuse::no);
    EXPECT_EQ(runs(), 2 * parts);
    EXPECT_EQ(fromStore(fresh), 0U);
}

TEST_F(StoredMeasuringTest, WithoutAStoreEverythingIsMeasured)
{
    const StoredMeasuring measuring = run(device(), nullptr);

    EXPECT_EQ(runs(), tinyPlan().size());
    EXPECT_FALSE(measuring.storeFailure.has_value());
    EXPECT_TRUE(measuring.outcome.peaks.has_value());
}

TEST_F(StoredMeasuringTest, AStoreThatFailsUnderWayDoesNotStopTheMeasuring)
{
    MeasurementStore store = open();
    {
        auto database = sqlite::Database::open(file, sqlite::OpenMode::existing);
        ASSERT_TRUE(database->run("DROP TABLE results").ok());
    }
    const StoredMeasuring measuring = run(device(), &store);

    ASSERT_TRUE(measuring.storeFailure.has_value());
    EXPECT_THAT(measuring.storeFailure->message, HasSubstr(file.string()));
    EXPECT_TRUE(std::all_of(measuring.outcome.parts.begin(),
                            measuring.outcome.parts.end(),
                            [](const PartResult& part) { return part.measured.has_value(); }));
}

TEST_F(StoredMeasuringTest, AResultThatDidNotSettleInAShortTimeIsMeasuredAgain)
{
    MeasurementStore store = open();
    run(device(), &store);
    const auto machine = store.machineOf(device());
    ASSERT_TRUE(store.forget({}).ok()); // else what settled stays
    for (const MeasuredPart& part : tinyPlan()) {
        StoredResult result = test::resultAt(questionOf(part.operation, {}), 5);
        result.measured.settled = part.path != tinyPlan().front().path;
        result.measured.elapsedSeconds = 0.001;
        ASSERT_TRUE(store.keep((*machine)->described, result).ok());
    }

    const StoredMeasuring again = run(device(), &store);

    EXPECT_FALSE(again.storedAt.front().has_value());
    EXPECT_EQ(fromStore(again), tinyPlan().size() - 1);
}

TEST_F(StoredMeasuringTest, TimesThatDifferFromTheEarlierOnesHaveNotSettled)
{
    MeasurementStore store = open();
    const StoredMeasuring first = run(device(), &store);
    const std::string slower = "measured | sed 's/\"median_seconds\":[^,]*/\"median_seconds\":9/'";
    std::vector<PartResult> seen;
    DeviceSession session(device("if [ -e '" + (folder / "slow").string() + "' ]; then " + slower
                                 + "; else measured; fi"));
    const auto again = [&] {
        seen.assign(tinyPlan().size(), {});
        return measureWithStore(session,
                                tinyPlan(),
                                {},
                                {},
                                &store,
                                Reuse::no,
                                {.part = [&](int part, const auto& result) {
                                    seen[static_cast<std::size_t>(part)] = result;
                                }});
    };

    const StoredMeasuring same = again();
    std::ofstream(folder / "slow") << "a busy host";
    const StoredMeasuring slow = again();

    for (std::size_t i = 0; i < tinyPlan().size(); ++i) {
        const Measured& one = *first.outcome.parts[i].measured;
        const Measured& two = *same.outcome.parts[i].measured;
        const Measured& three = *slow.outcome.parts[i].measured;
        EXPECT_TRUE(isSettled(one));
        EXPECT_TRUE(isSettled(two));
        EXPECT_EQ(three.medians, (std::vector<double>{one.medianSeconds, two.medianSeconds, 9.0}));
        EXPECT_FALSE(isSettled(three));
        EXPECT_EQ(*seen[i].measured, three);
    }
}

TEST_F(StoredMeasuringTest, RecallingShowsWhatIsThereAndStartsNothing)
{
    MeasurementStore store = open();
    run(device(), &store);
    const std::size_t before = runs();
    const auto longer = measuredParts({.model = *presetNamed("tiny"), .workload = {.sequence = 9}});

    const auto found = recalled(store, device(), tinyPlan(), {});
    const auto nothing = recalled(store, device(), longer, {});
    const auto never = recalled(store, {"box", {"never-asked"}}, tinyPlan(), {});

    EXPECT_EQ(fromStore(*found), tinyPlan().size());
    EXPECT_FALSE(found->outcome.unavailable.has_value());
    ASSERT_TRUE(nothing->outcome.unavailable.has_value());
    EXPECT_THAT(nothing->outcome.unavailable->message, HasSubstr("no stored result"));
    EXPECT_TRUE(never->outcome.unavailable.has_value());
    EXPECT_EQ(never->outcome.parts.size(), tinyPlan().size());
    EXPECT_EQ(runs(), before);
}

TEST_F(StoredMeasuringTest, AnAbsentDeviceIsUnavailableWithAStoreToo)
{
    MeasurementStore store = open();
    DeviceSession session({"this GPU", {"/nowhere/bench"}});
    std::size_t failed = 0;
    const MeasuringObserver observer{
        .part = [&](int, const PartResult& part) { failed += part.stage == PartStage::failed; }};

    const StoredMeasuring measuring =
        measureWithStore(session, tinyPlan(), {}, {}, &store, Reuse::yes, observer);

    ASSERT_TRUE(measuring.outcome.unavailable.has_value());
    EXPECT_FALSE(measuring.storeFailure.has_value());
    EXPECT_EQ(failed, tinyPlan().size());
}

TEST_F(StoredMeasuringTest, OtherConditionsAreOtherQuestions)
{
    MeasurementStore store = open();
    run(device(), &store);
    const std::size_t before = runs();
    DeviceSession session(device());
    const MeasuringOptions cold{.cache = CacheState::cold};

    measureWithStore(session, tinyPlan(), cold, {}, &store, Reuse::yes, {});
    EXPECT_EQ(runs(), 2 * before);
    const auto again = measureWithStore(session, tinyPlan(), cold, {}, &store, Reuse::yes, {});
    EXPECT_EQ(runs(), 2 * before);
    EXPECT_EQ(fromStore(again), tinyPlan().size());
    EXPECT_EQ(fromStore(*recalled(store, device(), tinyPlan(), cold)), tinyPlan().size());
}

TEST_F(StoredMeasuringTest, PeaksAloneComeOutOfTheStoreToo)
{
    MeasurementStore store = open();
    const auto peaks = [&](Reuse reuse) {
        DeviceSession session(device());
        return measureWithStore(session, {}, {.peaksSeconds = 0.5}, {}, &store, reuse, {});
    };

    const StoredMeasuring first = peaks(Reuse::yes);
    const StoredMeasuring second = peaks(Reuse::yes);

    ASSERT_TRUE(first.outcome.peaks.has_value());
    EXPECT_FALSE(first.peaksStoredAt.has_value());
    EXPECT_TRUE(second.peaksStoredAt.has_value());
    EXPECT_EQ(second.outcome.peaks->flopsPerSecond, first.outcome.peaks->flopsPerSecond);
    EXPECT_FALSE(peaks(Reuse::no).peaksStoredAt.has_value());
    EXPECT_TRUE(recalled(store, device(), {}, {})->peaksStoredAt.has_value());
}

TEST_F(StoredMeasuringTest, WhatIsKnownFromThisRunIsNotMarkedAsStored)
{
    MeasurementStore store = open();
    DeviceSession session(device());
    KnownResults known;
    const auto once = [&] {
        return measureWithStore(session, tinyPlan(), {}, {}, &store, Reuse::yes, known, {});
    };

    EXPECT_EQ(fromStore(once()), 0U);
    EXPECT_EQ(fromStore(once()), 0U);
    EXPECT_EQ(runs(), tinyPlan().size());
}

} // namespace
} // namespace flopsmith
