// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/safetensors/tensor_elements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace flopsmith {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

struct Appended
{
    Status status = Done{};
    std::string bytes{};
    double rounding = 0;
};

template <class T>
Appended appended(const std::vector<T>& values, TensorType type)
{
    Appended result;
    result.status =
        appendElements(result.bytes, std::span<const T>(values), type, 10, result.rounding);
    return result;
}

TEST(TensorElements, AreLittleEndian)
{
    EXPECT_EQ(appended<float>({1, -2}, TensorType::f32).bytes, "\x00\x00\x80\x3f\x00\x00\x00\xc0"s);
    EXPECT_EQ(appended<float>({1}, TensorType::f64).bytes, "\x00\x00\x00\x00\x00\x00\xf0\x3f"s);
    EXPECT_EQ(appended<double>({1}, TensorType::f64).bytes, "\x00\x00\x00\x00\x00\x00\xf0\x3f"s);
    EXPECT_EQ(appended<double>({1}, TensorType::bf16).bytes, "\x80\x3f"s);
    EXPECT_EQ(appended<std::int64_t>({-2}, TensorType::i32).bytes, "\xfe\xff\xff\xff"s);
    EXPECT_EQ(appended<std::int32_t>({7}, TensorType::i64).bytes, "\x07\0\0\0\0\0\0\0"s);
}

TEST(TensorElements, TheLargestRoundingIsTold)
{
    EXPECT_EQ(appended<float>({0.1F, 3}, TensorType::f32).rounding, 0);
    EXPECT_EQ(appended<float>({0.1F, 3}, TensorType::f64).rounding, 0);
    EXPECT_EQ(appended<float>({0, 1, -256}, TensorType::bf16).rounding, 0);
    EXPECT_EQ(appended<float>({4, -257, 0.5F}, TensorType::bf16).rounding, 1.0 / 257);
    const double third = appended<double>({1.0 / 3}, TensorType::f32).rounding;
    EXPECT_GT(third, 0);
    EXPECT_LE(third, 0x1p-24);
}

TEST(TensorElements, WhatIsNearlyZeroHardlyCountsAsRounded)
{
    EXPECT_LT(appended<double>({1e-300}, TensorType::bf16).rounding, 1e-200);
    EXPECT_LT(appended<double>({1e-300}, TensorType::f32).rounding, 1e-200);
}

TEST(TensorElements, InfinityAndNanAreStoredAsTheyAre)
{
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

    const Appended special = appended<double>({kInfinite, -kInfinite, kNan}, TensorType::bf16);

    EXPECT_TRUE(special.status.ok());
    EXPECT_EQ(special.bytes, "\x80\x7f\x80\xff\xc0\x7f"s);
    EXPECT_EQ(special.rounding, 0);
}

TEST(TensorElements, WhatTheTypeDoesNotHoldIsRefused)
{
    EXPECT_THAT(appended<double>({1, 1e300}, TensorType::f32).status.error().message,
                HasSubstr("element 11 is 1e+300, which F32 does not hold"));
    EXPECT_FALSE(
        appended<float>({std::numeric_limits<float>::max()}, TensorType::bf16).status.ok());
    EXPECT_THAT(appended<std::int64_t>({1LL << 31}, TensorType::i32).status.error().message,
                HasSubstr("element 10 is 2147483648, which I32"));
}

TEST(TensorElements, RealAndWholeNumbersAreNotMixed)
{
    EXPECT_THAT(appended<float>({1}, TensorType::i64).status.error().message,
                HasSubstr("F64, F32 or BF16, not as I64"));
    EXPECT_FALSE(appended<float>({1}, TensorType::f16).status.ok());
    EXPECT_THAT(appended<std::int32_t>({1}, TensorType::f32).status.error().message,
                HasSubstr("I64 or I32, not as F32"));
}

} // namespace
} // namespace flopsmith
