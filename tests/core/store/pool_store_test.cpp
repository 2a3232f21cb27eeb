// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/pool_store.h"

#include "core/model/presets.h"
#include "tests/core/protocol/workers.h"
#include "tests/core/store/store_fixture.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace flopsmith {
namespace {

using testing::HasSubstr;

std::vector<MeasuredPart> planOf(std::size_t job)
{
    const int tokens = static_cast<int>(job) + 1;
    return measuredParts({.model = *presetNamed("tiny"), .workload = {.sequence = tokens}});
}

class PoolStoreTest : public test::StoreTest
{
protected:
    // A machine of its own, whose program notes how often it measured.
    Device device(const std::string& name, const std::string& body = "measured") const
    {
        Device made = scripted(shellWorker(
            "echo x >> '" + (folder / "runs").string() + "'; " + body, {.device = name}));
        made.name = name;
        return made;
    }

    std::size_t runs() const { return bytes(folder / "runs").size() / 2; }

    std::vector<PooledResult> swept(const std::vector<Device>& devices,
                                    std::size_t jobs,
                                    Reuse reuse = Reuse::yes)
    {
        const MeasuringOptions options{.budgetSeconds = 0.1, .peaks = WithPeaks::no};
        PoolStore store(file, reuse, devices, options);
        std::vector<PooledResult> results;
        PoolObserver observer;
        observer.result = [&](const PooledResult& result) { results.push_back(result); };
        measureOnDevices(devices, jobs, planOf, options, {}, observer, store.memory());
        failure = store.failure();
        return results;
    }

    static std::size_t storedJobs(const std::vector<PooledResult>& results)
    {
        return static_cast<std::size_t>(
            std::count_if(results.begin(), results.end(), [](const PooledResult& result) {
                return !result.storedAt.empty()
                    && std::all_of(result.storedAt.begin(),
                                   result.storedAt.end(),
                                   [](const auto& at) { return at.has_value(); });
            }));
    }

    std::optional<Error> failure;
};

TEST_F(PoolStoreTest, ASecondIdenticalSweepMeasuresNothing)
{
    const std::vector<Device> devices{device("one"), device("two"), device("three")};
    const auto first = swept(devices, 6);
    EXPECT_EQ(storedJobs(first), 0U);
    const std::size_t measured = runs();
    EXPECT_GT(measured, 0U);

    const auto second = swept(devices, 6);

    EXPECT_EQ(runs(), measured);
    EXPECT_EQ(storedJobs(second), 6U);
    ASSERT_EQ(second.size(), first.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(second[i].device, first[i].device);
        ASSERT_EQ(second[i].parts.size(), first[i].parts.size());
        EXPECT_EQ(second[i].parts.front().measured->medianSeconds,
                  first[i].parts.front().measured->medianSeconds);
    }
    EXPECT_FALSE(failure.has_value());
}

TEST_F(PoolStoreTest, ALongerSweepMeasuresOnlyWhatIsNew)
{
    const std::vector<Device> devices{device("one"), device("two")};
    swept(devices, 3);

    const auto longer = swept(devices, 5);

    EXPECT_EQ(storedJobs(longer), 3U);
    EXPECT_TRUE(std::all_of(longer.begin(), longer.end(), [](const PooledResult& result) {
        return std::all_of(result.parts.begin(), result.parts.end(), [](const PartResult& part) {
            return part.measured.has_value();
        });
    }));
}

TEST_F(PoolStoreTest, FreshOnesMeasureEverythingAgain)
{
    const std::vector<Device> devices{device("one")};
    swept(devices, 2);
    const std::size_t before = runs();

    EXPECT_EQ(storedJobs(swept(devices, 2, Reuse::no)), 0U);
    EXPECT_EQ(runs(), 2 * before);
}

TEST_F(PoolStoreTest, AStoreThatCannotBeUsedIsToldAndDoesNotStopTheSweep)
{
    std::ofstream(file) << "not a database, but long enough to be taken for one";

    const auto results = swept({device("one")}, 2);

    EXPECT_EQ(results.size(), 2U);
    EXPECT_EQ(storedJobs(results), 0U);
    ASSERT_TRUE(failure.has_value());
    EXPECT_THAT(failure->message, HasSubstr(file.string()));
}

} // namespace
} // namespace flopsmith
