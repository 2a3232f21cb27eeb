// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

TEST(Quantity, IsReadAsPeopleTypeIt)
{
    EXPECT_EQ(quantityOf("768"), 768.0);
    EXPECT_EQ(quantityOf(" 2 * 768 "), 1536.0);
    EXPECT_EQ(quantityOf("12\xC3\x97"
                         "64"),
              768.0);
    EXPECT_EQ(quantityOf("2\xC2\xB7"
                         "3\xC2\xB7"
                         "4"),
              24.0);
    EXPECT_EQ(quantityOf("4k"), 4000.0);
    EXPECT_EQ(quantityOf("4Ki"), 4096.0);
    EXPECT_EQ(quantityOf("15.6T"), 15.6e12);
    EXPECT_EQ(quantityOf("124 M"), 124e6);
    EXPECT_EQ(quantityOf("2GiB"), 2147483648.0);
    EXPECT_EQ(quantityOf("8.5 B"), 8.5e9);
    EXPECT_EQ(quantityOf("512B", PlainB::bytes), 512.0);
    EXPECT_EQ(quantityOf("2 kB", PlainB::bytes), quantityOf("2 kB", PlainB::billions));
    EXPECT_EQ(quantityOf("40%"), 0.4);
    EXPECT_EQ(quantityOf("1e9"), 1e9);
    EXPECT_EQ(quantityOf("-3"), -3.0);
}

TEST(Quantity, IsNothingElse)
{
    for (const char* text : {"",
                             " ",
                             "*",
                             "2*",
                             "*2",
                             "2**3",
                             "k",
                             "4kk",
                             "4 d",
                             "2+3",
                             "0x10",
                             "1,5",
                             "inf",
                             "nan",
                             "1e999",
                             "1e308*1e308",
                             "4*d_model"}) {
        EXPECT_FALSE(quantityOf(text).has_value()) << text;
    }
}

TEST(Quantity, IsWholeOrHasACommaWhereThatMakesSense)
{
    EXPECT_EQ(wholeQuantityOf("9223372036854775807"), 9223372036854775807);
    EXPECT_EQ(wholeQuantityOf("-7"), -7);
    EXPECT_EQ(wholeQuantityOf("1.5k"), 1500);
    EXPECT_FALSE(wholeQuantityOf("1.5"));
    EXPECT_FALSE(wholeQuantityOf("1e17"));
    EXPECT_EQ(realQuantityOf("0,4"), 0.4);
    EXPECT_EQ(realQuantityOf("1,5k"), 1500.0);
    EXPECT_FALSE(realQuantityOf("1,000.5"));
}

} // namespace
} // namespace flopsmith
