// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/count/lens.h"
#include "core/ffn/ffn_cost.h"
#include "tests/support/ffn_cases.h"

#include <gtest/gtest.h>

#include <numeric>

namespace flopsmith {
namespace {

Cost<Count> monarchCost(const FfnSpec& ffn, const Shape& shape)
{
    return test::costTree(ffn, shape).total();
}

TEST(MonarchCost, IsFourBlockDiagonalProducts)
{
    const MonarchFfn ffn{.dFf = 12, .blocks = 3, .activation = Activation::relu};
    const Cost<Count> cost = monarchCost(ffn, {1, 2, 2, 6});

    // [2, 2], [2, 4], [4, 2], [2, 2] three times each
    EXPECT_TRUE((cost.count
                 == OpCount<Count>{.mac = 2 * 3 * (4 + 8 + 8 + 4),
                                   .dot = 2 * (6 + 12 + 6 + 6),
                                   .add = 2 * 18,
                                   .cmp = 2 * 12}));
    EXPECT_TRUE(cost.parameters.trainable == 3 * (4 + 8 + 8 + 4) + 12 + 6);
    EXPECT_TRUE(cost.saved == 2 * (6 + 12 + 12 + 6));
}

TEST(MonarchCost, WithOneBlockIsThatOfTwoDenseMatricesEach)
{
    const Shape shape{2, 3, 3, 10};
    const Cost<Count> one = monarchCost(MonarchFfn{.dFf = 20, .blocks = 1}, shape);
    const Cost<Count> dense = monarchCost(DenseFfn{.dFf = 20}, shape);
    const Cost<Count> square =
        monarchCost(DenseFfn{.dFf = 10, .activation = Activation::none, .bias = false}, shape);

    EXPECT_TRUE(one.count == dense.count + square.count);
    EXPECT_TRUE(one.parameters.trainable
                == dense.parameters.trainable + square.parameters.trainable);
    EXPECT_TRUE(one.traffic.weights == dense.traffic.weights + square.traffic.weights);
    EXPECT_TRUE(one.traffic.read == dense.traffic.read + square.traffic.read);
    EXPECT_TRUE(one.traffic.written == dense.traffic.written + square.traffic.written);
}

TEST(MonarchCost, ProductsShrinkInProportionToTheBlocks)
{
    const Shape shape{1, 5, 5, 64};
    const auto macs = [&](int blocks) {
        return monarchCost(MonarchFfn{.dFf = 256, .blocks = blocks}, shape).count.mac;
    };

    EXPECT_TRUE(macs(1) == 8 * macs(8));
    EXPECT_TRUE(macs(8) == 8 * macs(64));
    // the root of d blocks: √d-fold fewer than dense but for the two square factors, 1 + d/f
    EXPECT_TRUE(4 * 8 * macs(8) == 5 * monarchCost(DenseFfn{.dFf = 256}, shape).count.mac);
}

TEST(MonarchFfn, AllowsBlocksThatDivideBothWidths)
{
    const auto legal = [](int dModel, int dFf) {
        const MonarchFfn ffn{.dFf = dFf};
        return MonarchFfn::fields()[1].legal(ffn, FieldContext{dModel});
    };

    EXPECT_TRUE(legal(768, 3072).contains(std::int64_t{768}));
    EXPECT_FALSE(legal(768, 3072).contains(std::int64_t{1536}));
    EXPECT_TRUE(legal(12, 18).contains(std::int64_t{6}));
    EXPECT_FALSE(legal(12, 18).contains(std::int64_t{4}));
    EXPECT_TRUE(legal(7, 12).contains(std::int64_t{1}));
    EXPECT_FALSE(legal(7, 12).contains(std::int64_t{7}));
}

TEST(MonarchFfn, UsuallyHasAsManyBlocksAsTheRootOfTheWidth)
{
    EXPECT_EQ(MonarchFfn::usualBlocks(64, 256), 8);
    EXPECT_EQ(MonarchFfn::usualBlocks(4096, 16384), 64);
    EXPECT_EQ(MonarchFfn::usualBlocks(768, 3072), MonarchFfn{}.blocks);
    EXPECT_EQ(MonarchFfn::usualBlocks(13, 52), 1);
    for (int d = 1; d < 100; ++d) {
        EXPECT_EQ(std::gcd(d, 3 * d) % MonarchFfn::usualBlocks(d, 3 * d), 0);
    }
}

} // namespace
} // namespace flopsmith
