// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/plan_times.h"

#include "tests/core/protocol/messages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

namespace flopsmith::ui {
namespace {

constexpr double kStoredSeconds = 1.0;
constexpr double kOwnSeconds = 2.0;
constexpr UnixSeconds kStoredAt = 5;

enum class Kind { none, failed, notSettled, settled };

PartResult resultOf(Kind kind, double seconds)
{
    if (kind == Kind::none) {
        return {};
    }
    if (kind == Kind::failed) {
        return {.stage = PartStage::failed, .sentence = "It needs 9 bytes."};
    }
    Measured measured = someMeasured();
    measured.medians.clear();
    measured.medianSeconds = seconds;
    measured.settled = kind == Kind::settled;
    return {.stage = PartStage::measured, .measured = measured};
}

struct Part
{
    Kind stored = Kind::none; // never failed
    Kind own = Kind::none;
};

std::vector<Part> randomPlan(std::mt19937_64& random)
{
    std::vector<Part> plan(1 + random() % 8);
    for (Part& part : plan) {
        part.stored = std::array{Kind::none, Kind::notSettled, Kind::settled}.at(random() % 3);
        part.own = static_cast<Kind>(random() % 4);
    }
    return plan;
}

StoredMeasuring storedOf(const std::vector<Part>& plan)
{
    StoredMeasuring stored;
    for (const Part& part : plan) {
        const bool some = part.stored != Kind::none;
        stored.outcome.parts.push_back(resultOf(some ? part.stored : Kind::failed, kStoredSeconds));
        stored.storedAt.push_back(some ? std::optional(kStoredAt) : std::nullopt);
    }
    return stored;
}

void measure(PlanTimes& times, const std::vector<Part>& plan, const std::vector<std::size_t>& order)
{
    for (const std::size_t part : order) {
        if (plan[part].own != Kind::none) {
            times.take(part, {.stage = PartStage::running});
            times.take(part, resultOf(plan[part].own, kOwnSeconds));
        }
    }
}

std::vector<PartTime> shown(const PlanTimes& times, std::size_t parts)
{
    std::vector<PartTime> all;
    for (std::size_t part = 0; part < parts; ++part) {
        all.push_back(times.shown(part, {}));
    }
    return all;
}

TEST(PlanTimes, ShowsTheBetterOfStoredAndOwnInWhateverOrderResultsCome)
{
    std::mt19937_64 random(1);
    for (int round = 0; round < 300; ++round) {
        const std::vector<Part> plan = randomPlan(random);
        std::vector<std::size_t> order(plan.size());
        std::iota(order.begin(), order.end(), 0U);
        PlanTimes inOrder(plan.size());
        inOrder.takeStored(storedOf(plan));
        measure(inOrder, plan, order);
        std::shuffle(order.begin(), order.end(), random);
        PlanTimes shuffled(plan.size());
        shuffled.takeStored(storedOf(plan));
        measure(shuffled, plan, order);

        EXPECT_EQ(shown(inOrder, plan.size()), shown(shuffled, plan.size()));
        for (std::size_t part = 0; part < plan.size(); ++part) {
            const auto [stored, own] = plan[part];
            const PartTime time = inOrder.shown(part, {});
            const bool isOwn =
                own == Kind::settled || (own == Kind::notSettled && stored != Kind::settled);
            const bool isStored = !isOwn && stored != Kind::none;
            EXPECT_EQ(time.storedAt.has_value(), isStored);
            EXPECT_EQ(time.medianSeconds, isOwn ? kOwnSeconds : isStored ? kStoredSeconds : 0.0);
            EXPECT_EQ(time.sentence.ends_with("It needs 9 bytes."), own == Kind::failed);
        }
        EXPECT_EQ(inOrder.done(), std::count_if(plan.begin(), plan.end(), [](const Part& part) {
                      return part.own != Kind::none;
                  }));
    }
}

TEST(PlanTimes, ANewResultIsTakenOnce)
{
    PlanTimes times(1);

    EXPECT_TRUE(times.take(0, resultOf(Kind::settled, kOwnSeconds)));
    EXPECT_FALSE(times.take(0, resultOf(Kind::settled, kOwnSeconds)));
}

TEST(PlanTimes, PartsWithoutATimeFollowTheDevice)
{
    PlanTimes times(2);
    times.take(0, {.stage = PartStage::running});
    const DeviceActivity silent{.measuresParts = true, .silentSeconds = 7};

    EXPECT_EQ(times.shown(0, silent).silentSeconds, 7);
    EXPECT_EQ(times.shown(1, silent).state, PartState::queued);
    EXPECT_EQ(times.shown(1, {}).state, PartState::pending);
    times.stop();
    EXPECT_EQ(times.shown(0, {}).state, PartState::pending);
    EXPECT_EQ(times.done(), 0);
}

} // namespace
} // namespace flopsmith::ui
