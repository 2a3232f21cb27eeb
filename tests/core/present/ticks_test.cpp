// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/base/ticks.h"

#include <gtest/gtest.h>

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace flopsmith {
namespace {

std::vector<std::string> labels(const TickAxis& axis)
{
    std::vector<std::string> texts;
    for (const Tick& tick : axis.ticks) {
        texts.push_back(tick.label);
    }
    return texts;
}

using Labels = std::vector<std::string>;

TEST(Ticks, LengthsArePowersOfTwoWithBinaryThousands)
{
    const TickAxis axis = tickAxis(AxisScale::log2, 128, 8192, 8, TickUnit::binary);

    EXPECT_EQ(labels(axis), (Labels{"128", "256", "512", "1k", "2k", "4k", "8k"}));
    EXPECT_DOUBLE_EQ(axis.share(1024), 0.5);
}

TEST(Ticks, ManyPowersOfTwoKeepEveryNth)
{
    const TickAxis axis = tickAxis(AxisScale::log2, 128, 8192, 4, TickUnit::binary);

    EXPECT_EQ(labels(axis), (Labels{"256", "1k", "4k"}));
}

TEST(Ticks, FlopsArePowersOfTenWithPrefixes)
{
    const TickAxis axis = tickAxis(AxisScale::log10, 7e9, 3e12, 6);

    EXPECT_EQ(labels(axis), (Labels{"1 G", "10 G", "100 G", "1 T", "10 T"}));
}

TEST(Ticks, InsideOneDecadeThereAreStillLabels)
{
    const TickAxis axis = tickAxis(AxisScale::log10, 2, 9, 9, TickUnit::si, RangeEnds::keep);

    EXPECT_EQ(labels(axis), (Labels{"2", "3", "4", "5", "6", "7", "8", "9"}));
}

TEST(Ticks, FewTicksInsideOneDecadeAreRoundNumbersToo)
{
    const auto few = [](double low, double high, TickUnit unit) {
        return labels(tickAxis(AxisScale::log10, low, high, 3, unit, RangeEnds::keep));
    };
    EXPECT_EQ(few(5.987e9, 18.316e9, TickUnit::si), (Labels{"6 G", "8 G", "10 G"}));
    EXPECT_EQ(few(0.095, 0.35, TickUnit::seconds), (Labels{"100 ms", "200 ms", "300 ms"}));
}

TEST(Ticks, WithoutARoundNumberInsideTheEndsAreLabelled)
{
    const TickAxis axis = tickAxis(AxisScale::log2, 130, 250, 5, TickUnit::binary, RangeEnds::keep);

    EXPECT_EQ(labels(axis), (Labels{"130", "250"}));
}

TEST(Ticks, LinearStepsAreRound)
{
    EXPECT_EQ(labels(tickAxis(AxisScale::linear, 0.0, 1.0, 6)),
              (Labels{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
    EXPECT_EQ(labels(tickAxis(AxisScale::linear, 1, 385, 5)),
              (Labels{"0", "100", "200", "300", "400"}));
}

TEST(Ticks, BytesAreNamedInDecimalUnits)
{
    EXPECT_EQ(tickText(1024.0, TickUnit::bytes), "1.024 kB");
    EXPECT_EQ(tickText(3e9, TickUnit::bytes), "3 GB");
    EXPECT_EQ(tickText(1e-4, TickUnit::seconds), "100 \xC2\xB5s");
}

TEST(Ticks, BillionsOfParametersAreNoGiga)
{
    EXPECT_EQ(tickText(8e9, TickUnit::parameters), "8 B");
    EXPECT_EQ(tickText(2.5e6, TickUnit::parameters), "2.5 M");
    EXPECT_EQ(labels(tickAxis(AxisScale::log10, 1e8, 1e10, 5, TickUnit::parameters)),
              (Labels{"100 M", "1 B", "10 B"}));
}

TEST(Ticks, BeyondThePrefixesThereArePowersOfTen)
{
    EXPECT_EQ(tickText(5e20, TickUnit::si), "500 E");
    EXPECT_EQ(tickText(1e21, TickUnit::si), "1e21");
    EXPECT_EQ(tickText(4.1e25, TickUnit::si), "4.1e25");
    EXPECT_EQ(tickText(-2.5e30, TickUnit::si), "-2.5e30");
}

TEST(Ticks, ValueAtIsTheInverseOfShare)
{
    const TickAxis axis = tickAxis(AxisScale::log10, 1.0, 1000.0, 5);

    EXPECT_NEAR(axis.valueAt(axis.share(37.0)), 37.0, 1e-9);
    EXPECT_EQ(axis.share(0.0), 0.0);
    EXPECT_EQ(axis.share(std::numeric_limits<double>::quiet_NaN()), 0.0);
}

// Whatever range comes in: something that can be drawn comes out.
TEST(Crossing, IsExactAtAPlaceAndOnTheDrawnLineBetween)
{
    const std::vector<LinePlace> square{{1.0, 1.0}, {10.0, 100.0}, {100.0, 10000.0}};
    const auto at = [&](double along) {
        return crossing(square, AxisScale::log10, AxisScale::log10, along);
    };

    EXPECT_EQ(at(10.0), 100.0);
    EXPECT_DOUBLE_EQ(at(3.0).value(), 9.0);
    EXPECT_EQ(at(0.5), std::nullopt);
    EXPECT_EQ(at(101.0), std::nullopt);
    EXPECT_EQ(crossing({}, AxisScale::linear, AxisScale::linear, 0.0), std::nullopt);
}

TEST(Crossing, IsTheFirstOfALineThatTurns)
{
    const std::vector<LinePlace> hill{{0.0, 0.0}, {4.0, 1.0}, {0.0, 2.0}};

    EXPECT_DOUBLE_EQ(crossing(hill, AxisScale::linear, AxisScale::linear, 2.0).value(), 0.5);
    EXPECT_EQ(crossing(hill, AxisScale::linear, AxisScale::linear, 0.0), 0.0);
}

RC_GTEST_PROP(Ticks, EveryRangeCanBeDrawn, ())
{
    static const std::vector<double> kSpecial{0.0,
                                              -0.0,
                                              -5.0,
                                              1e-320,
                                              1e-300,
                                              1e308,
                                              -1e308,
                                              std::numeric_limits<double>::infinity(),
                                              std::numeric_limits<double>::quiet_NaN()};
    const auto anyValue = [] {
        const double exponent = *rc::gen::inRange(-300, 300) / 10.0;
        return *rc::gen::arbitrary<bool>() ? std::pow(10.0, exponent)
                                           : *rc::gen::elementOf(kSpecial);
    };
    const double low = anyValue();
    const double high = anyValue();
    const int most = *rc::gen::inRange(-1, 20);
    const auto scale = *rc::gen::element(AxisScale::linear, AxisScale::log2, AxisScale::log10);
    const auto ends = *rc::gen::element(RangeEnds::grow, RangeEnds::keep);

    const TickAxis axis = tickAxis(scale, low, high, most, TickUnit::si, ends);

    RC_ASSERT(std::isfinite(axis.low) && std::isfinite(axis.high));
    RC_ASSERT(axis.high > axis.low);
    RC_ASSERT(axis.ticks.size() >= 2U);
    RC_ASSERT(axis.ticks.size() <= static_cast<std::size_t>(std::max(most, 2)));
    const double slack = (axis.high - axis.low) * 1e-6;
    for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
        RC_ASSERT(axis.ticks[i].position >= axis.low - slack);
        RC_ASSERT(axis.ticks[i].position <= axis.high + slack);
        RC_ASSERT((i == 0 || axis.ticks[i].position > axis.ticks[i - 1].position));
        RC_ASSERT(!axis.ticks[i].label.empty());
    }
}

} // namespace
} // namespace flopsmith
