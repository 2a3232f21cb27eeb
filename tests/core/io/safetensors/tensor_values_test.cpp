// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/safetensors/tensor_values.h"

#include "tests/core/io/safetensors/safetensors_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace flopsmith {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;

template <class T>
Result<std::vector<T>> valuesAs(TensorType type, const std::string& bytes)
{
    std::vector<T> values(bytes.size() / bytesPerElement(type));
    const Status read = readTensorValues(type, test::asBytes(bytes), std::span(values));
    return read ? Result<std::vector<T>>(values) : read.error();
}

template <class Number>
std::string bytesOfNumber(Number number)
{
    const auto bytes = std::as_bytes(std::span(&number, 1));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; // NOLINT: text is bytes
}

TEST(TensorValues, EachTypeIsReadAsItsNumbers)
{
    EXPECT_THAT(valuesAs<double>(TensorType::f64, bytesOfNumber(0.1)).value(), ElementsAre(0.1));
    EXPECT_THAT(valuesAs<double>(TensorType::f32, bytesOfNumber(-2.5F)).value(), ElementsAre(-2.5));
    EXPECT_THAT(valuesAs<float>(TensorType::f16, "\x00\x3c\x00\xc1"s).value(),
                ElementsAre(1.0F, -2.5F));
    EXPECT_THAT(valuesAs<float>(TensorType::bf16, "\x80\x3f\x00\xc0"s).value(),
                ElementsAre(1.0F, -2.0F));
    EXPECT_THAT(valuesAs<std::int64_t>(TensorType::i32, "\xfe\xff\xff\xff"s).value(),
                ElementsAre(-2));
    EXPECT_THAT(valuesAs<std::int64_t>(TensorType::u32, "\xfe\xff\xff\xff"s).value(),
                ElementsAre(4294967294));
    EXPECT_THAT(valuesAs<float>(TensorType::i16, "\xff\xff\x01\x00"s).value(),
                ElementsAre(-1.0F, 1.0F));
    EXPECT_THAT(valuesAs<float>(TensorType::u16, "\xff\xff"s).value(), ElementsAre(65535.0F));
    EXPECT_THAT(valuesAs<double>(TensorType::i8, "\x80\x7f"s).value(), ElementsAre(-128, 127));
    EXPECT_THAT(valuesAs<double>(TensorType::u8, "\x80\x7f"s).value(), ElementsAre(128, 127));
    EXPECT_THAT(valuesAs<std::int64_t>(TensorType::boolean, "\x00\x01\x02"s).value(),
                ElementsAre(0, 1, 1));
    EXPECT_THAT(valuesAs<double>(TensorType::u64, std::string(8, '\xff')).value(),
                ElementsAre(0x1p64));
    EXPECT_TRUE(valuesAs<float>(TensorType::f32, "").value().empty());
}

TEST(TensorValues, RealNumbersBecomeTheNearest)
{
    EXPECT_THAT(valuesAs<float>(TensorType::f64, bytesOfNumber(0.1)).value(), ElementsAre(0.1F));
    EXPECT_THAT(valuesAs<float>(TensorType::f64, bytesOfNumber(1e-300)).value(), ElementsAre(0.0F));
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_THAT(valuesAs<float>(TensorType::f64, bytesOfNumber(-infinity)).value(),
                ElementsAre(-std::numeric_limits<float>::infinity()));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(valuesAs<float>(TensorType::f64, bytesOfNumber(nan)).value().front()));
}

TEST(TensorValues, WhatTheNumberDoesNotHoldIsRefused)
{
    EXPECT_THAT(
        valuesAs<float>(TensorType::f64, bytesOfNumber(1.0) + bytesOfNumber(1e300)).error().message,
        HasSubstr("element 1 is 1e+300, which a float does not hold"));
    EXPECT_THAT(valuesAs<std::int64_t>(TensorType::u64, std::string(8, '\xff')).error().message,
                HasSubstr("whole number of 64 bits"));
    for (const double real : {0.5, 0x1p63, -0x1.8p63, std::nan("")}) {
        EXPECT_FALSE(valuesAs<std::int64_t>(TensorType::f64, bytesOfNumber(real)).ok()) << real;
    }
    EXPECT_THAT(valuesAs<std::int64_t>(TensorType::f64, bytesOfNumber(-0x1p63)).value(),
                ElementsAre(std::numeric_limits<std::int64_t>::min()));
}

TEST(TensorValues, BytesNeedNoAlignment)
{
    const std::string bytes = "x" + bytesOfNumber(0.25);
    std::array<double, 1> value{};

    ASSERT_TRUE(
        readTensorValues(TensorType::f64, test::asBytes(bytes).subspan(1), std::span<double>(value))
            .ok());

    EXPECT_EQ(value[0], 0.25);
}

} // namespace
} // namespace flopsmith
