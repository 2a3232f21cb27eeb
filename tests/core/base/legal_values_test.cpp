// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/legal_values.h"

#include "core/base/field.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace flopsmith {
namespace {

using testing::ElementsAre;

std::vector<LegalValues> everyKind()
{
    return {LegalValues::integers(1, 385),
            LegalValues::integers(0, 16'777'216, Scale::log2),
            LegalValues::integers(1, 1000, Scale::linear, 64),
            LegalValues::divisorsOf(768),
            LegalValues::divisorsOf(0),
            LegalValues::integersBut(0, 64, {3, 7, 8, 64}),
            LegalValues::reals(0.0, 1.0, 0.01, LegalValues::LowEnd::open),
            LegalValues::reals(0.0, 0.95, 0.05),
            LegalValues::flag(),
            LegalValues::onlyFalse(),
            LegalValues::choices({"fft", "direct"})};
}

TEST(LegalValues, LeavesOutWhatIsExcluded)
{
    const LegalValues legal = LegalValues::integersBut(0, 9, {9, 1, 5, 6});

    EXPECT_EQ(legal.text(), "0, 2 \xE2\x80\xA6 4, 7 \xE2\x80\xA6 8");
    EXPECT_FALSE(legal.contains(std::int64_t{5}));
    EXPECT_EQ(legal.nearest(std::int64_t{6}), FieldValue(std::int64_t{7}));
    EXPECT_EQ(legal.nearest(std::int64_t{90}), FieldValue(std::int64_t{8}));
    EXPECT_EQ(legal.stops().size(), 6U);
    EXPECT_EQ(LegalValues::integersBut(-1, 1, {}).stops().size(), 3U);
}

TEST(LegalValues, EveryStopIsLegalAndThereAreNotTooMany)
{
    for (const LegalValues& legal : everyKind()) {
        const std::vector<FieldValue> stops = legal.stops();

        ASSERT_FALSE(stops.empty()) << legal.text();
        EXPECT_LE(stops.size(), 1026U) << legal.text();
        for (const FieldValue& stop : stops) {
            EXPECT_TRUE(legal.contains(stop)) << legal.text() << ": " << valueText(stop);
        }
        for (std::size_t i = 1; i < stops.size(); ++i) {
            EXPECT_TRUE(stops[i - 1] < stops[i] || !legal.names().empty()) << legal.text();
        }
    }
}

TEST(LegalValues, NearestIsAlwaysLegalWhateverIsAsked)
{
    const std::vector<FieldValue> anything{std::int64_t{-5},
                                           std::int64_t{0},
                                           std::int64_t{77},
                                           std::numeric_limits<std::int64_t>::max(),
                                           -1.5,
                                           0.4,
                                           1e300,
                                           std::numeric_limits<double>::quiet_NaN(),
                                           std::numeric_limits<double>::infinity(),
                                           true,
                                           std::string("nothing")};
    for (const LegalValues& legal : everyKind()) {
        for (const FieldValue& value : anything) {
            EXPECT_TRUE(legal.contains(legal.nearest(value)))
                << legal.text() << ": " << valueText(value);
        }
    }
}

TEST(LegalValues, NearestLeavesLegalValuesAlone)
{
    for (const LegalValues& legal : everyKind()) {
        for (const FieldValue& stop : legal.stops()) {
            EXPECT_EQ(legal.nearest(stop), stop) << legal.text();
        }
    }
}

TEST(LegalValues, DivisorsAreExact)
{
    const LegalValues legal = LegalValues::divisorsOf(12);

    EXPECT_EQ(legal.stops().size(), 6U);
    EXPECT_FALSE(legal.contains(std::int64_t{5}));
    EXPECT_FALSE(legal.contains(std::int64_t{0}));
    EXPECT_EQ(legal.nearest(std::int64_t{100}), FieldValue(std::int64_t{12}));
    EXPECT_EQ(legal.text(), "a divisor of 12");
}

TEST(LegalValues, OpenRangesLeaveOutTheirLowEnd)
{
    const LegalValues ratio = LegalValues::reals(0.0, 1.0, 0.25, LegalValues::LowEnd::open);

    EXPECT_FALSE(ratio.contains(0.0));
    EXPECT_TRUE(ratio.contains(1e-9));
    EXPECT_THAT(ratio.stops(), ElementsAre(0.25, 0.5, 0.75, 1.0));
    EXPECT_EQ(ratio.text(), "above 0, at most 1");
}

TEST(LegalValues, LogarithmicScalesReachFromEndToEnd)
{
    const LegalValues width = LegalValues::integers(1, 1'048'576, Scale::log2);

    EXPECT_EQ(width.stops().front(), FieldValue(std::int64_t{1}));
    EXPECT_EQ(width.stops().back(), FieldValue(std::int64_t{1'048'576}));
    EXPECT_TRUE(width.contains(std::int64_t{777'777})) << "numbers between stops are legal";
}

TEST(LegalValues, KindsDoNotMix)
{
    EXPECT_FALSE(LegalValues::integers(1, 9).contains(2.0));
    EXPECT_FALSE(LegalValues::flag().contains(std::int64_t{1}));
    EXPECT_FALSE(LegalValues::onlyFalse().contains(true));
    EXPECT_FALSE(LegalValues::onlyTrue().contains(false));
    EXPECT_TRUE(LegalValues::onlyTrue().nearest(false) == FieldValue(true));
    EXPECT_FALSE(LegalValues::choices({"fft"}).contains(std::string("FFT")));
}

TEST(ValueText, SpellsValuesAsFilesDo)
{
    EXPECT_EQ(valueText(std::int64_t{64}), "64");
    EXPECT_EQ(valueText(0.25), "0.25");
    EXPECT_EQ(valueText(true), "true");
    EXPECT_EQ(valueText(std::string("low_pass")), "low_pass");
}

TEST(Kept, RoundsToAtLeastOne)
{
    EXPECT_EQ(kept(0.001, 10), 1);
    EXPECT_EQ(kept(0.5, 5), 3);
    EXPECT_EQ(kept(1.0, 7), 7);
}

} // namespace
} // namespace flopsmith
