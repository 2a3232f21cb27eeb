// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/safetensors/half_floats.h"

#include <gtest/gtest.h>

#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <limits>

namespace flopsmith {
namespace {

constexpr float kInfiniteFloat = std::numeric_limits<float>::infinity();

TEST(HalfFloats, KnownBfloat16s)
{
    EXPECT_EQ(roundedToBfloat16(1.0F).bits, 0x3f80U);
    EXPECT_EQ(roundedToBfloat16(-2.0).bits, 0xc000U);
    EXPECT_EQ(roundedToBfloat16(-0.0F).bits, 0x8000U);
    EXPECT_EQ(roundedToBfloat16(kInfiniteFloat).bits, 0x7f80U);
    EXPECT_EQ(floatOf(Bfloat16{0x3f80}), 1.0F);
}

TEST(HalfFloats, TiesGoToTheEvenNeighbour)
{
    EXPECT_EQ(roundedToBfloat16(1.0F + 0x1p-8F).bits, 0x3f80U);
    EXPECT_EQ(roundedToBfloat16(1.0F + 3 * 0x1p-8F).bits, 0x3f82U);
    EXPECT_EQ(roundedToBfloat16(-1.0F - 0x1p-8F).bits, 0xbf80U);
}

// To a float first, this is a tie, and the tie would go down.
TEST(HalfFloats, ADoubleIsRoundedOnce)
{
    EXPECT_EQ(roundedToBfloat16(1.0 + 0x1p-8 + 0x1p-40).bits, 0x3f81U);
    EXPECT_EQ(roundedToBfloat16(1.0 + 3 * 0x1p-8 - 0x1p-40).bits, 0x3f81U);
    EXPECT_EQ(roundedToBfloat16(-1.0 - 0x1p-8 - 0x1p-40).bits, 0xbf81U);
}

TEST(HalfFloats, BeyondTheLargestIsInfinite)
{
    constexpr auto kLargest = std::numeric_limits<float>::max();
    EXPECT_EQ(roundedToBfloat16(kLargest).bits, 0x7f80U);
    EXPECT_EQ(roundedToBfloat16(-1e300).bits, 0xff80U);
    EXPECT_TRUE(std::isfinite(floatOf(Bfloat16{0x7f7f})));
}

TEST(HalfFloats, TheSmallestVanish)
{
    EXPECT_EQ(roundedToBfloat16(1e-300).bits, 0U);
    EXPECT_EQ(roundedToBfloat16(-1e-300).bits, 0x8000U);
}

TEST(HalfFloats, NanStaysNan)
{
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    const auto narrowNan = std::bit_cast<float>(0x7f800001U); // its upper half alone is infinity
    EXPECT_TRUE(std::isnan(floatOf(roundedToBfloat16(kNan))));
    EXPECT_TRUE(std::isnan(floatOf(roundedToBfloat16(static_cast<double>(kNan)))));
    EXPECT_TRUE(std::isnan(floatOf(roundedToBfloat16(narrowNan))));
    EXPECT_TRUE(std::isnan(floatOf(Float16{0x7c01})));
}

TEST(HalfFloats, EveryBfloat16ComesBack)
{
    for (unsigned bits = 0; bits <= 0xffffU; ++bits) {
        const Bfloat16 value{static_cast<std::uint16_t>(bits)};
        if (!std::isnan(floatOf(value))) {
            EXPECT_EQ(roundedToBfloat16(floatOf(value)), value);
            EXPECT_EQ(roundedToBfloat16(static_cast<double>(floatOf(value))), value);
        }
    }
}

TEST(HalfFloats, NoBfloat16IsNearer)
{
    EXPECT_TRUE(rc::check([] {
        const auto steps = *rc::gen::inRange(-1'000'000'000, 1'000'000'000);
        const double value = steps * 1.37e-5;
        const Bfloat16 rounded = roundedToBfloat16(value);
        const double error = std::abs(static_cast<double>(floatOf(rounded)) - value);

        RC_ASSERT(error <= std::abs(value) * 0x1p-8);
        for (const int step : {-1, 1}) {
            const Bfloat16 beside{static_cast<std::uint16_t>(rounded.bits + step)};
            const double there = std::abs(static_cast<double>(floatOf(beside)) - value);
            RC_ASSERT(std::isnan(there) || error <= there);
        }
    }));
}

TEST(HalfFloats, KnownFloat16s)
{
    EXPECT_EQ(floatOf(Float16{0x3c00}), 1.0F);
    EXPECT_EQ(floatOf(Float16{0xc100}), -2.5F);
    EXPECT_EQ(floatOf(Float16{0x7bff}), 65504.0F);
    EXPECT_EQ(floatOf(Float16{0x0400}), 0x1p-14F);
    EXPECT_EQ(floatOf(Float16{0x0001}), 0x1p-24F);
    EXPECT_EQ(floatOf(Float16{0xfc00}), -kInfiniteFloat);
    EXPECT_TRUE(std::signbit(floatOf(Float16{0x8000})));
}

} // namespace
} // namespace flopsmith
