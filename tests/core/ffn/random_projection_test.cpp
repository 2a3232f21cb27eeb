// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/random_projection_cost.h"
#include "tests/support/spec_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace flopsmith {
namespace {

TEST(SignMatrix, HasDifferentAscendingColumnsInEachRow)
{
    for (const int columns : {1, 2, 7, 100}) {
        for (const int perRow : {1, (columns + 1) / 2, columns}) {
            const SignMatrix matrix = SignMatrix::drawn(9, columns, perRow, 3);
            for (int i = 0; i < matrix.rows; ++i) {
                std::vector<int> row;
                for (const std::int32_t entry : matrix.row(i)) {
                    row.push_back(SignMatrix::column(entry));
                }
                EXPECT_EQ(static_cast<int>(row.size()), perRow);
                EXPECT_TRUE(std::is_sorted(row.begin(), row.end()));
                EXPECT_EQ(std::set<int>(row.begin(), row.end()).size(), row.size());
                EXPECT_GE(row.front(), 0);
                EXPECT_LT(row.back(), columns);
            }
        }
    }
}

TEST(SignMatrix, IsDrawnFromItsSeedAlone)
{
    EXPECT_EQ(SignMatrix::drawn(5, 50, 10, 1).entries, SignMatrix::drawn(5, 50, 10, 1).entries);
    EXPECT_NE(SignMatrix::drawn(5, 50, 10, 1).entries, SignMatrix::drawn(5, 50, 10, 2).entries);
}

TEST(SignMatrix, TakesColumnsAndSignsEvenly)
{
    const SignMatrix matrix = SignMatrix::drawn(4000, 10, 3, 7);
    std::vector<int> uses(10);
    int minus = 0;
    for (const std::int32_t entry : matrix.entries) {
        ++uses[static_cast<std::size_t>(SignMatrix::column(entry))];
        minus += SignMatrix::isMinus(entry) ? 1 : 0;
    }

    EXPECT_NEAR(minus, 6000, 6 * 55); // 12000 coins: a standard deviation of 55
    for (const int times : uses) {
        EXPECT_NEAR(times, 1200, 6 * 29); // 4000 · 0.3 · 0.7
    }
}

// d = 4, m = 3, density 1/2: p = 2, q = 2.
TEST(RandomProjectionCost, IsSumsWithoutMultiplyAdds)
{
    const RandomProjectionFfn ffn{.features = 3, .density = 0.5, .activation = Activation::none};

    const Cost<Count> cost = test::costTree(ffn, {1, 2, 2, 4}).total();

    EXPECT_TRUE((cost.count
                 == OpCount<Count>{.mul = 2 * (3 + 3 + 4), // α, g and β
                                   .add = 2 * (3 * 1 + 3 + 4 * 1), // sums of two, b
                                   .move = 2 * (3 * 2 + 4 * 2)}));
    EXPECT_TRUE(cost.parameters.trainable == 2 * 3);
    EXPECT_TRUE(cost.parameters.fixed == 3 * 2 + 4 * 2);
}

// Of g and of b too: Σ_t of products by element is no matrix product, as that of a norm's γ is none.
TEST(RandomProjectionCost, IsSumsWithoutMultiplyAddsInTheBackwardPassToo)
{
    const RandomProjectionFfn ffn{.features = 50, .activation = Activation::none};

    const OpCount<Count> count = test::treeOf({1, 37, 37, 24},
                                              [&](const Pass<Count>& pass, CostTree<Count>& tree) {
                                                  addBackwardCost(ffn, pass, tree);
                                              })
                                     .total()
                                     .count;

    EXPECT_TRUE(count.mac == 0);
    EXPECT_TRUE(count.dot == 0);
}

TEST(RandomProjectionCost, KeepsAtLeastOneNonZeroInEachRow)
{
    const RandomProjectionFfn ffn{.features = 5, .density = 0.001};

    EXPECT_EQ(ffn.inputsPerFeature(7), 1);
    EXPECT_EQ(ffn.featuresPerOutput(), 1);
    EXPECT_EQ(ffn.inputProjection(7).entries.size(), 5U);
    EXPECT_EQ(ffn.outputProjection(7).entries.size(), 7U);
}

} // namespace
} // namespace flopsmith
