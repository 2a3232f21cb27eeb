// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/count/lens.h"
#include "core/ffn/ffn_cost.h"
#include "core/layer/norm.h"
#include "core/mixer/mixer_cost.h"
#include "tests/support/spec_cases.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

// Attention and MLP of one GPT-2 small block.
CostTree<Count> gpt2Block(const Shape& shape, PairsRule pairs)
{
    const auto add = [](const Pass<Count>& pass, CostTree<Count>& tree) {
        addCost(Attention{}, pass, tree);
        addCost(DenseFfn{}, pass, tree);
    };
    return test::treeOf(shape, add, pairs);
}

Count total(const CostTree<Count>& tree, LensId lens)
{
    return priced(lens, tree.total().count);
}

// 8·T·d² + 4·T·d·f + 4·S²·d with T = S = 1024, d = 768, f = 3072: what torch's FlopCounterMode says.
TEST(Gpt2Block, MatmulFlopsOfAThousandTokens)
{
    const Shape shape{1, 1024, 1024, 768};

    EXPECT_EQ(digits(total(gpt2Block(shape, PairsRule::full), LensId::matmul)), "17716740096");
    EXPECT_EQ(digits(total(gpt2Block(shape, PairsRule::full), LensId::mac)), "8858370048");
}

TEST(Gpt2Block, CausalPairsAreOneMoreThanHalf)
{
    const Shape shape{1, 1024, 1024, 768};
    const Count full = total(gpt2Block(shape, PairsRule::full), LensId::matmul);
    const Count exact = total(gpt2Block(shape, PairsRule::exact), LensId::matmul);
    const Count half = total(gpt2Block(shape, PairsRule::half), LensId::matmul);
    const Count perPair = 4 * 768; // 2·H·h multiply-adds

    EXPECT_EQ(full - exact, perPair * (1024 * 1023 / 2));
    EXPECT_EQ(exact - half, perPair * 512);
}

TEST(Gpt2Block, TwelveOfThemAndTheHeadAreThePublishedTotal)
{
    const Shape shape{1, 1024, 1024, 768};
    const Count head = Count{2} * 1024 * 768 * 50257;
    const auto model = [&](PairsRule pairs) {
        return digits(12 * total(gpt2Block(shape, pairs), LensId::matmul) + head);
    };

    EXPECT_EQ(model(PairsRule::full), "291648307200");
    EXPECT_EQ(model(PairsRule::exact), "272339828736");
}

TEST(Gpt2Block, HasThePublishedParameters)
{
    // 12·d² + 9·d + f of a block without its norms: 7 084 800.
    const Count parameters =
        gpt2Block({1, 1, 1, 768}, PairsRule::exact).total().parameters.trainable;

    EXPECT_EQ(digits(parameters), "7084800");
}

} // namespace
} // namespace flopsmith
