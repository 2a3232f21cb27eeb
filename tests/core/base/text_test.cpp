// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include <gtest/gtest.h>

#include <limits>

namespace flopsmith {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(SiText, ShowsThreeOrFourSignificantDigits)
{
    EXPECT_EQ(siText(0), "0");
    EXPECT_EQ(siText(7), "7");
    EXPECT_EQ(siText(999), "999");
    EXPECT_EQ(siText(1234), "1.23 k");
    EXPECT_EQ(siText(96'240'000), "96.2 M");
    EXPECT_EQ(siText(218'712'345'678.0), "218.7 G");
    EXPECT_EQ(siText(9.994e20), "999.4 E");
    EXPECT_EQ(siText(9.996e20), "1.00e21");
    EXPECT_EQ(siText(3.14e23), "3.14e23");
    EXPECT_EQ(siText(-3.14e23), "-3.14e23");
    EXPECT_EQ(parametersText(8'030'261'248.0), "8.03 B");
    EXPECT_EQ(parametersText(124'439'808.0), "124.4 M");
    EXPECT_EQ(parametersText(1.5e12), "1.50 T");
    EXPECT_EQ(siText(-1234), "-1.23 k");
}

TEST(SiText, RoundsUpIntoTheNextPrefix)
{
    EXPECT_EQ(siText(999'940), "999.9 k");
    EXPECT_EQ(siText(999'960), "1.00 M");
    EXPECT_EQ(siText(9'996), "10.0 k");
}

TEST(SiText, SaysNothingOfWhatIsNoNumber)
{
    EXPECT_EQ(siText(kNan), "\xE2\x80\x93");
    EXPECT_EQ(siText(kInfinity), "\xE2\x80\x93");
    EXPECT_EQ(durationText(kNan), "\xE2\x80\x93");
    EXPECT_EQ(bytesText(kInfinity), "\xE2\x80\x93");
    EXPECT_EQ(percentText(kNan), "\xE2\x80\x93");
}

TEST(ThreeDigits, HoldWhileTheyAreAskedFor)
{
    EXPECT_EQ(siText(218'712'345'678.0), "218.7 G");
    {
        const ThreeDigits asked;
        EXPECT_EQ(siText(218'712'345'678.0), "219 G");
        EXPECT_EQ(siText(999'600.0), "1.00 M");
        EXPECT_EQ(siText(96.24), "96.2");
        EXPECT_EQ(durationText(0.6143), "614 ms");
        {
            const ThreeDigits notHere(false);
            EXPECT_EQ(siText(218'712'345'678.0), "218.7 G");
        }
        EXPECT_EQ(siText(512.0), "512");
    }
    EXPECT_EQ(siText(999'600.0), "999.6 k");
}

TEST(DurationText, ChoosesTheUnit)
{
    EXPECT_EQ(durationText(0), "0 s");
    EXPECT_EQ(durationText(1.434), "1.43 s");
    EXPECT_EQ(durationText(0.614), "614 ms");
    EXPECT_EQ(durationText(10.24e-6), "10.2 \xC2\xB5s");
    EXPECT_EQ(durationText(35.2e-9), "35.2 ns");
}

TEST(BytesText, UsesBinaryUnits)
{
    EXPECT_EQ(bytesText(512), "512 B");
    EXPECT_EQ(bytesText(1536), "1.54 kB");
    EXPECT_EQ(bytesText(497'759'232), "497.8 MB");
}

TEST(GroupedDigits, SeparatesThousandsByANarrowSpace)
{
    const std::string gap = "\xE2\x80\xAF";

    EXPECT_EQ(groupedDigits(0), "0");
    EXPECT_EQ(groupedDigits(123), "123");
    EXPECT_EQ(groupedDigits(-1234), "-1" + gap + "234");
    EXPECT_EQ(groupedDigits(Count{291'648'307'200}),
              "291" + gap + "648" + gap + "307" + gap + "200");
}

TEST(PercentText, KeepsSmallSharesVisible)
{
    EXPECT_EQ(percentText(0), "0 %");
    EXPECT_EQ(percentText(0.37), "37.0 %");
    EXPECT_EQ(percentText(0.0003), "0.03 %");
    EXPECT_EQ(percentText(0.00001), "< 0.01 %");
    EXPECT_EQ(percentText(1), "100.0 %");
}

TEST(NumberText, ReadsBackAsTheSameNumber)
{
    for (const double value : {0.25, 0.1, 1.0 / 3.0, 1e300, -7.0}) {
        EXPECT_EQ(std::stod(numberText(value)), value);
    }
    EXPECT_EQ(numberText(0.15), "0.15");
}

TEST(Digits, HoldsMoreThanSixtyFourBits)
{
    Count power = 1;
    for (int i = 0; i < 30; ++i) {
        power *= 10;
    }

    EXPECT_EQ(digits(power), "1" + std::string(30, '0'));
    EXPECT_EQ(digits(-power), "-1" + std::string(30, '0'));
    EXPECT_EQ(digits(0), "0");
}

TEST(DateText, IsInUtcToTheMinute)
{
    EXPECT_EQ(dateText(0), "1970-01-01 00:00 UTC");
    EXPECT_EQ(dateText(951'782'399), "2000-02-28 23:59 UTC");
    EXPECT_EQ(dateText(951'782'400), "2000-02-29 00:00 UTC");
    EXPECT_EQ(dateText(1'795'257'213), "2026-11-21 10:33 UTC");
}

TEST(DateText, StaysWithinFourDigitsOfAYear)
{
    EXPECT_EQ(dateText(-5), "1970-01-01 00:00 UTC");
    EXPECT_EQ(dateText(INT64_MAX), "9999-12-31 23:59 UTC");
}

TEST(RatioText, KeepsTwoDigitsHoweverSmall)
{
    EXPECT_EQ(ratioText(0.0), "");
    EXPECT_EQ(ratioText(0.00312), "0.0031\xC3\x97");
    EXPECT_EQ(ratioText(0.51), "0.51\xC3\x97");
    EXPECT_EQ(ratioText(1.0), "1\xC3\x97");
    EXPECT_EQ(ratioText(12.34), "12.3\xC3\x97");
}

TEST(SignedPercentText, SaysWhichWayAndHowFar)
{
    EXPECT_EQ(signedPercentText(0.0), "0 %");
    EXPECT_EQ(signedPercentText(-0.213),
              "\xE2\x88\x92"
              "21.3 %");
    EXPECT_EQ(signedPercentText(0.0004), "+0.04 %");
    EXPECT_EQ(signedPercentText(34.8), "+3480 %");
    EXPECT_EQ(signedPercentText(-1e-9), "\xE2\x89\x88 0 %");
}

TEST(RateText, HasFigurePrefixAndUnit)
{
    EXPECT_EQ(rateText(6.13e10, "FLOP/s"), "61.3 GFLOP/s");
    EXPECT_EQ(rateText(5.0, "B/s"), "5 B/s");
}

} // namespace
} // namespace flopsmith
