// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/measuring/settling.h"

#include <gtest/gtest.h>

#include <vector>

namespace flopsmith {
namespace {

Measured settledAt(double medianSeconds)
{
    Measured measured{.medianSeconds = medianSeconds, .settled = true};
    return measured;
}

Measured settledWith(const std::vector<double>& medians)
{
    Measured measured = settledAt(medians.back());
    measured.medians = medians;
    return measured;
}

TEST(UnsettledSentence, NamesWhoTookMost)
{
    EXPECT_EQ(unsettledSentence({.waitingShare = 0.45, .stolenShare = 0.1}),
              "Other programs had the processor for 45.0 % of the time.");
    EXPECT_EQ(unsettledSentence({.waitingShare = 0.02, .stolenShare = 0.125}),
              "Other virtual machines had the processor for 12.5 % of the time.");
}

TEST(UnsettledSentence, IsNoneWhereItSettledAllTheSame)
{
    EXPECT_EQ(unsettledSentence({.settled = true, .waitingShare = 0.45}), "");
}

TEST(UnsettledSentence, IsNoneWhereNobodyDisturbed)
{
    EXPECT_EQ(unsettledSentence({.settled = false, .waitingShare = 0.05}), "");
    EXPECT_EQ(unsettledSentence({}), "");
}

TEST(UnsettledSentence, GivesTheTimesThatDiffer)
{
    EXPECT_EQ(unsettledSentence(settledWith({0.0041, 0.0065, 0.005})),
              "3 measurements of one run gave 4.10 ms to 6.50 ms.");
    EXPECT_EQ(unsettledSentence(settledWith({0.0041, 0.0042})), "");
}

TEST(IsSettled, WantsRepeatedMeasurementsWithinFivePercentOfTheirMiddle)
{
    EXPECT_TRUE(isSettled(settledAt(1.0)));
    EXPECT_TRUE(isSettled(settledWith({1.0})));
    EXPECT_TRUE(isSettled(settledWith({0.96, 1.0, 1.04, 1.0, 0.98})));
    EXPECT_FALSE(isSettled(settledWith({1.06, 1.0, 1.0})));
    EXPECT_FALSE(isSettled(settledWith({1.0, 0.94, 1.0})));
    EXPECT_TRUE(isSettled(settledWith({0.0, 0.0}))); // a clock too coarse, which says so itself
}

TEST(IsSettled, IsNotSavedByEarlierMeasurements)
{
    Measured measured = settledWith({1.0, 1.0});
    measured.settled = false;
    EXPECT_FALSE(isSettled(measured));
}

TEST(Repeated, KeepsWhatSettledInOrder)
{
    const Measured first = repeated(Measured{}, settledAt(1.0));
    EXPECT_EQ(first.medians, std::vector<double>{1.0});
    EXPECT_EQ(repeatsOf(first), std::nullopt);

    Measured disturbed{.medianSeconds = 7.0};
    const Measured second = repeated(first, disturbed);
    EXPECT_EQ(second.medians, std::vector<double>{1.0});
    EXPECT_EQ(second.medianSeconds, 7.0);

    const Measured third = repeated(second, settledAt(3.0));
    EXPECT_EQ(third.medians, (std::vector<double>{1.0, 3.0}));
    const Measured fourth = repeated(third, settledAt(1.5));
    EXPECT_EQ(repeatsOf(fourth), (Repeats{3, 1.0, 1.5, 3.0}));
    EXPECT_DOUBLE_EQ(repeatsOf(fourth)->spread(), 1.0);
}

TEST(Repeated, TakesNothingFromWhatTheDeviceSaysOfEarlierTimes)
{
    EXPECT_EQ(repeated(Measured{}, settledWith({9.0, 9.0, 1.0})).medians, std::vector<double>{1.0});
}

TEST(Repeated, CountsAResultWithoutMediansAsTheFirst)
{
    EXPECT_EQ(repeated(settledAt(2.0), settledAt(3.0)).medians, (std::vector<double>{2.0, 3.0}));
    EXPECT_EQ(repeated(Measured{.medianSeconds = 2.0}, settledAt(3.0)).medians,
              std::vector<double>{3.0});
}

TEST(Repeated, ForgetsWhatIsLongAgo)
{
    Measured measured = repeated(Measured{}, settledAt(100.0)); // before the fan was cleaned
    for (std::size_t i = 0; i < kMaxRepeats; ++i) {
        EXPECT_EQ(isSettled(measured), i == 0);
        measured = repeated(measured, settledAt(1.0));
    }
    EXPECT_EQ(measured.medians, std::vector<double>(kMaxRepeats, 1.0));
    EXPECT_TRUE(isSettled(measured));
}

TEST(LostShare, IsTheLargerOfTheTwo)
{
    EXPECT_EQ(lostShare({.waitingShare = 0.2, .stolenShare = 0.3}), 0.3);
    EXPECT_EQ(lostShare({.waitingShare = 0.4, .stolenShare = 0.3}), 0.4);
}

} // namespace
} // namespace flopsmith
