// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/check.h"
#include "core/kernels/reference/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace flopsmith {
namespace {

using testing::ElementsAre;

Agreement compared(const std::vector<float>& fast,
                   const std::vector<double>& reference,
                   double terms)
{
    return compare(fast, reference, terms);
}

TEST(Agreement, ReportsTheLargestErrorAgainstTheMagnitude)
{
    const Agreement agreement = compared({1.0F, -4.5F}, {1.0, -4.0}, 1);

    EXPECT_EQ(agreement.compared, 2U);
    EXPECT_DOUBLE_EQ(agreement.largestError, 0.5);
    EXPECT_DOUBLE_EQ(agreement.magnitude, 4);
    EXPECT_DOUBLE_EQ(agreement.relativeError(), 0.125);
    EXPECT_FALSE(agreement.agrees);
}

TEST(Agreement, RoundingAgreesAndAWrongDigitDoesNot)
{
    EXPECT_TRUE(compared({3.1415927F}, {3.141592653589793}, 1).agrees);
    EXPECT_FALSE(compared({3.1416F}, {3.141592653589793}, 1).agrees);
}

TEST(Agreement, ToleranceGrowsWithTheRootOfTheContraction)
{
    const double one = compared({1.0F}, {1.0}, 1).tolerance;

    EXPECT_DOUBLE_EQ(compared({1.0F}, {1.0}, 100).tolerance, 10 * one);
    EXPECT_DOUBLE_EQ(compared({3.0F}, {3.0}, 1).tolerance, 3 * one);
}

TEST(Agreement, RoundedOperandsAreToleratedInProportionToTheLargestValue)
{
    const std::vector<float> fast{1.01F, 2.0F};
    const std::vector<double> reference{1.0, 2.0};
    constexpr double kBfloat16 = 1.0 / 512.0;

    EXPECT_FALSE(compare(fast, reference, 1).agrees);
    EXPECT_TRUE(compare(fast, reference, 1, kBfloat16).agrees);
    EXPECT_FALSE(compare(fast, reference, 1, kBfloat16 / 16.0).agrees);
    EXPECT_NEAR(compare(fast, reference, 1, kBfloat16).tolerance, 8.0 * kBfloat16 * 2.0, 1e-5);
}

TEST(Agreement, ZerosAgreeOnlyWithZeros)
{
    EXPECT_TRUE(compared({0.0F}, {0.0}, 1).agrees);
    EXPECT_FALSE(compared({1e-30F}, {0.0}, 1).agrees);
}

TEST(Agreement, NothingAndNotANumberNeverAgree)
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();

    EXPECT_FALSE(compared({}, {}, 1).agrees);
    EXPECT_FALSE(compared({nan}, {1.0}, 1).agrees);
    EXPECT_FALSE(compared({1.0F, nan}, {1.0, 1.0}, 1).agrees);
    EXPECT_FALSE(compared({1.0F}, {infinity}, 1).agrees);
    EXPECT_EQ(compared({nan, 1.0F}, {1.0, 1.0}, 1).largestError, infinity);
}

TEST(RowsToCheck, SpreadsFromTheFirstToTheLast)
{
    EXPECT_THAT(rowsToCheck(9, 10, 30), ElementsAre(0, 4, 8));
    EXPECT_THAT(rowsToCheck(4, 1, 1000), ElementsAre(0, 1, 2, 3));
}

TEST(RowsToCheck, TakesAtLeastOneRowHoweverSmallTheBudget)
{
    EXPECT_THAT(rowsToCheck(9, 1'000'000, 1), ElementsAre(0));
    EXPECT_THAT(rowsToCheck(3, 0, 0), ElementsAre(0));
    EXPECT_TRUE(rowsToCheck(0, 1, 10).empty());
}

Count pairs(const Shape& shape)
{
    return Count{shape.batch} * shape.sequence * shape.context;
}

TEST(ShapeToCheck, LeavesWhatIsCheapEnough)
{
    const Shape shape{2, 10, 10, 64};

    EXPECT_EQ(shapeToCheck(shape, pairs, 200), shape);
}

TEST(ShapeToCheck, CutsTheBatchThenTheSequence)
{
    EXPECT_EQ(shapeToCheck({2, 10, 10, 64}, pairs, 199), (Shape{1, 10, 10, 64}));
    EXPECT_EQ(shapeToCheck({2, 10, 10, 64}, pairs, 99), (Shape{1, 9, 9, 64}));
    EXPECT_EQ(shapeToCheck({2, 10, 10, 64}, pairs, 0), (Shape{1, 1, 1, 64}));
}

TEST(ShapeToCheck, KeepsDecodingADecode)
{
    EXPECT_EQ(shapeToCheck({8, 1, 1001, 64}, pairs, 101), (Shape{1, 1, 101, 64}));
    EXPECT_EQ(shapeToCheck({1, 4, 10, 64}, pairs, 20), (Shape{1, 3, 6, 64}));
}

TEST(Selection, TakesTheLargestInAscendingOrderOfIndex)
{
    EXPECT_THAT(reference::largest(std::vector<double>{1, 9, 3, 7}, 2), ElementsAre(1, 3));
    EXPECT_THAT(reference::largest(std::vector<double>{5, 5, 5}, 2), ElementsAre(0, 1));
}

TEST(Selection, ShowsValuesThatAreNotNumbers)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();

    EXPECT_THAT(reference::largest(std::vector<double>{1, 9, nan}, 1), ElementsAre(2));
}

} // namespace
} // namespace flopsmith
