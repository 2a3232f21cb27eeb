// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/factored/kronecker_cost.h"

#include "core/ffn/dense_cost.h"
#include "core/ffn/factored/low_rank_cost.h"
#include "tests/support/spec_cases.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace flopsmith {
namespace {

std::size_t at(std::int64_t i)
{
    return static_cast<std::size_t>(i);
}

// The columns that have an entry in the terms [first, last).
std::size_t covered(const KroneckerFactor& factor,
                    const std::vector<int>& columns,
                    int firstTerm,
                    int lastTerm)
{
    const std::int64_t perTerm = std::int64_t{factor.in} * factor.kept;
    return std::set<int>(columns.begin() + firstTerm * perTerm,
                         columns.begin() + lastTerm * perTerm)
        .size();
}

std::vector<KroneckerFactor> awkwardFactors()
{
    std::vector<KroneckerFactor> factors;
    for (const int rank : {1, 2, 5}) {
        for (const int in : {1, 3, 8}) {
            for (const int out : {1, 2, 7, 16}) {
                for (int kept = 1; kept <= out; ++kept) {
                    factors.push_back({rank, in, out, kept});
                }
            }
        }
    }
    return factors;
}

TEST(KroneckerFactor, KeepsDifferentColumnsInEachRow)
{
    for (const KroneckerFactor& factor : awkwardFactors()) {
        const std::vector<int> columns = factor.columns(3);
        ASSERT_EQ(columns.size(), at(factor.entries()));
        for (std::int64_t row = 0; row < factor.rows(); ++row) {
            const auto first = columns.begin() + row * factor.kept;
            for (auto column = first; column != first + factor.kept; ++column) {
                ASSERT_TRUE(*column >= 0 && *column < factor.out);
                ASSERT_TRUE(column == first || *(column - 1) < *column);
            }
        }
    }
}

// What makes the number of dot products a formula of the sizes, whatever the seed.
TEST(KroneckerFactor, LeavesNoColumnEmptyWhileAnotherHasTwoEntries)
{
    for (const KroneckerFactor& factor : awkwardFactors()) {
        for (const int seed : {1, 2, 12345}) {
            const std::vector<int> columns = factor.columns(seed);
            ASSERT_EQ(covered(factor, columns, 0, factor.rank), at(factor.coveredByAll()));
            for (int term = 0; term < factor.rank; ++term) {
                ASSERT_EQ(covered(factor, columns, term, term + 1), at(factor.coveredByOne()));
            }
        }
    }
}

TEST(KroneckerFactor, DrawsItsColumnsFromTheSeed)
{
    const KroneckerFactor factor{2, 16, 32, 4};

    EXPECT_EQ(factor.columns(7), factor.columns(7));
    EXPECT_NE(factor.columns(7), factor.columns(8));
}

KroneckerFfn wide()
{
    return {.dFf = 16384, .d1 = 64, .f1 = 128};
}

TEST(KroneckerCost, IsTwoSmallProductsPerMatrix)
{
    const Cost<Count> cost = test::costTree(wide(), {1, 1, 1, 4096}).total();
    const Count up = 4096 * 128 + 64 * 16384;
    const Count down = 16384 * 64 + 128 * 4096;

    EXPECT_EQ(digits(cost.count.mac), digits(up + down));
    EXPECT_EQ(digits(cost.count.dot), digits(Count{64 * 128 + 16384 + 128 * 64 + 4096}));
    EXPECT_EQ(digits(cost.parameters.trainable), digits(Count{4 * 64 * 128 + 16384 + 4096}));
}

TEST(KroneckerCost, GrowsWithTheNumberOfTermsExceptForTheirSum)
{
    KroneckerFfn many = wide();
    many.rank = 3;
    const OpCount<Count> one = test::costTree(wide(), {1, 2, 2, 4096}).total().count;
    const OpCount<Count> three = test::costTree(many, {1, 2, 2, 4096}).total().count;

    EXPECT_EQ(digits(three.mac), digits(3 * one.mac));
    EXPECT_EQ(digits(three.add), digits(one.add)); // sums of terms are longer dot products
}

// d = 2·6, f = 2·3: X·B makes 2·6·3 + 2·2·3 multiply-adds of W₁, Aᵀ·X 2·2·6 + 2·6·3.
TEST(KroneckerCost, TakesTheCheaperOrderAndShowsIt)
{
    const KroneckerFfn ffn{.dFf = 6, .d1 = 2, .f1 = 2, .activation = Activation::none};
    const CostTree<Count> tree = test::costTree(ffn, {1, 1, 1, 12});

    EXPECT_EQ(tree.path(1), "c_fc_b");
    EXPECT_EQ(tree.path(2), "c_fc_a");
    EXPECT_EQ(tree.path(3), "c_proj_a"); // 2·2·3 + 2·3·6 against 2·3·6 + 2·2·6
    EXPECT_EQ(tree.path(4), "c_proj_b");
    EXPECT_TRUE((ffn.up(12).order() == KroneckerOrder::rightFirst));
    EXPECT_TRUE((ffn.down(12).order() == KroneckerOrder::leftFirst));
    EXPECT_EQ(digits(tree.total().count.mac), "96");
}

TEST(KroneckerCost, CountsKeptEntriesOnly)
{
    KroneckerFfn sparse = wide();
    sparse.keepRatio = 0.25;
    const Cost<Count> all = test::costTree(wide(), {1, 1, 1, 4096}).total();
    const Cost<Count> quarter = test::costTree(sparse, {1, 1, 1, 4096}).total();
    const Count biases = 16384 + 4096;

    EXPECT_EQ(digits(4 * quarter.count.mac), digits(all.count.mac));
    EXPECT_EQ(digits(4 * (quarter.parameters.trainable - biases)),
              digits(all.parameters.trainable - biases));
}

TEST(KroneckerCost, WithAllEntriesKeptIsThatOfDenseFactors)
{
    KroneckerFfn nearly = wide();
    nearly.keepRatio = 0.999; // 127.9 of 128 columns

    EXPECT_TRUE((test::costTree(nearly, {2, 3, 3, 4096}).total()
                 == test::costTree(wide(), {2, 3, 3, 4096}).total()));
}

TEST(KroneckerCost, OfOneTermAroundANumberIsDenseAndANumber)
{
    const Shape shape{1, 4, 4, 12};
    const KroneckerFfn ffn{.dFf = 20, .d1 = 1, .f1 = 1};
    const OpCount<Count> dense = test::costTree(DenseFfn{.dFf = 20}, shape).total().count;
    const OpCount<Count> count = test::costTree(ffn, shape).total().count;

    // The left factors, 1 by 1, scale the narrower of input and output: 12 features each time.
    EXPECT_EQ(digits(count.mac - dense.mac), digits(Count{4 * (12 + 12)}));
    EXPECT_EQ(digits(count.add), digits(dense.add));
}

std::string legalOf(const KroneckerFfn& ffn, std::string_view key, int dModel)
{
    for (const Field<KroneckerFfn>& field : KroneckerFfn::fields()) {
        if (field.text.key == key) {
            return field.legal(ffn, {.dModel = dModel}).text();
        }
    }
    return "no such field";
}

TEST(KroneckerFields, KnowWhatDividesAndHowManyTermsMakeSense)
{
    EXPECT_EQ(legalOf(wide(), "d_1", 4096), "a divisor of 4096");
    EXPECT_EQ(legalOf(wide(), "f_1", 4096), "a divisor of 16384");
    EXPECT_EQ(legalOf(wide(), "rank", 4096), "1 \xE2\x80\xA6 8192");
    EXPECT_EQ(legalOf({.dFf = 16384, .d1 = 1, .f1 = 2}, "rank", 4096), "1 \xE2\x80\xA6 2");
    EXPECT_EQ(legalOf({.dFf = 7, .d1 = 7, .f1 = 7}, "rank", 7), "1 \xE2\x80\xA6 1");
}

TEST(LowRankCost, IsFourProductsThroughTheRank)
{
    const LowRankFfn ffn{.dFf = 20, .rank = 3, .activation = Activation::none};
    const Cost<Count> cost = test::costTree(ffn, {1, 2, 2, 12}).total();

    EXPECT_EQ(digits(cost.count.mac), digits(Count{2 * 2 * 3 * (12 + 20)}));
    EXPECT_EQ(digits(cost.count.dot), digits(Count{2 * (3 + 20 + 3 + 12)}));
    EXPECT_EQ(digits(cost.parameters.trainable), digits(Count{2 * 3 * (12 + 20) + 20 + 12}));
}

} // namespace
} // namespace flopsmith
