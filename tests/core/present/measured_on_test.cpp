// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/time/measured_on.h"

#include <gtest/gtest.h>

#include <vector>

namespace flopsmith {
namespace {

constexpr std::int64_t kDay = 24 * 3600;

PartTime timeOf(std::optional<std::int64_t> storedAt)
{
    return {.state = PartState::settled, .medianSeconds = 1.0, .storedAt = storedAt};
}

TEST(MeasuredOn, NamesTheProcessorAndTheDayOfTheNewestTime)
{
    const std::vector<PartTime> stored{timeOf(1 * kDay), timeOf(3 * kDay), {}};
    const std::vector<PartTime> fresh{timeOf(1 * kDay), timeOf({})};

    EXPECT_EQ(measuredOn("this CPU", "Xeon, 2 cores", stored, 9 * kDay),
              "Xeon, 2 cores, 1970-01-04");
    EXPECT_EQ(measuredOn("this CPU", "Xeon, 2 cores", fresh, 9 * kDay),
              "Xeon, 2 cores, 1970-01-10");
    EXPECT_EQ(measuredOn("box", "H100", stored, 9 * kDay), "box (H100), 1970-01-04");
}

TEST(MeasuredOn, WithoutATimeOrAnAnswerSaysWhatIsKnown)
{
    EXPECT_EQ(measuredOn("this CPU", "Xeon, 2 cores", {}, kDay), "Xeon, 2 cores");
    EXPECT_EQ(measuredOn("this CPU", "", {}, kDay), "this CPU");
    EXPECT_EQ(measuredOn("box", "box", {}, kDay), "box");
}

} // namespace
} // namespace flopsmith
