// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/safetensors/tensor_shape.h"

#include "core/io/safetensors/tensor_type.h"

#include <gtest/gtest.h>

#include <limits>

namespace flopsmith {
namespace {

constexpr std::int64_t kLargestSize = std::numeric_limits<std::int64_t>::max();

TEST(TensorShapes, ElementsAreTheProduct)
{
    EXPECT_EQ(elementsOf({}, 4), 1U);
    EXPECT_EQ(elementsOf({0, 3}, 4), 0U);
    EXPECT_EQ(elementsOf({2, 3, 5}, 4), 30U);
    EXPECT_EQ(elementsOf({kLargestSize}, 2), static_cast<std::uint64_t>(kLargestSize));
}

TEST(TensorShapes, WhatNoFileHoldsIsNothing)
{
    EXPECT_FALSE(elementsOf({kLargestSize}, 4).has_value());
    EXPECT_FALSE(elementsOf({std::int64_t{1} << 32, std::int64_t{1} << 32}, 1).has_value());
    EXPECT_FALSE(elementsOf({-1}, 1).has_value());
    EXPECT_FALSE(elementsOf({0, -1}, 1).has_value());
}

// However large the other sizes are.
TEST(TensorShapes, ZeroTimesAnythingIsNone)
{
    EXPECT_EQ(elementsOf({kLargestSize, kLargestSize, 0}, 8), 0U);
}

TEST(TensorShapes, AsText)
{
    EXPECT_EQ(shapeText({}), "[]");
    EXPECT_EQ(shapeText({2, 3}), "[2, 3]");
}

TEST(TensorTypes, EachIsFoundByItsName)
{
    for (const TensorType type : {TensorType::f64, TensorType::bf16, TensorType::boolean}) {
        EXPECT_EQ(tensorTypeNamed(nameOf(type)), type);
    }
    EXPECT_EQ(bytesPerElement(TensorType::bf16), 2U);
    EXPECT_FALSE(tensorTypeNamed("f32").has_value());
    EXPECT_EQ(tensorTypeNames(), "F64, F32, F16, BF16, I64, I32, I16, I8, U64, U32, U16, U8, BOOL");
}

} // namespace
} // namespace flopsmith
