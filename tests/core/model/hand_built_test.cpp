// SPDX-License-Identifier: GPL-3.0-or-later
// Printed figures of models whose input or attention is put together here by hand, from the
// formulas of linear layers.
#include "core/ffn/moe.h"
#include "core/layer/linear_cost.h"
#include "core/layer/norm_cost.h"
#include "core/mixer/attention.h"
#include "core/model/model_cost.h"
#include "core/model/model_passes.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

const Numbers<Count> kNumbers;

Pass<Count> passOver(int tokens, int dModel, PairsRule pairs = PairsRule::full)
{
    Scenario scenario{.workload = {.sequence = tokens}};
    scenario.model.dModel = dModel;
    return passOf(scenario, pairs, kNumbers);
}

void addLinear(CostTree<Count>& tree, std::string_view name, Count tokens, Count in, Count out)
{
    tree.operation(
        name, OpKind::linear, tokens * out, linearCost<Count>(tokens, in, out, Bias::present));
}

struct Vit
{
    int dModel;
    int heads;
    int classes;
};

// 224², patches of 16², 12 blocks, a class token, a classifier on it.
CostTree<Count> vit(const Vit& sizes)
{
    const Pass<Count> pass = passOver(14 * 14 + 1, sizes.dModel);
    Block block;
    block.mixer = Attention{.heads = sizes.heads, .kvHeads = sizes.heads, .causal = false};
    block.ffn = DenseFfn{.dFf = 4 * sizes.dModel, .activation = Activation::gelu};
    CostTree<Count> tree;
    const auto root = tree.group("model", kNormComponent);
    {
        const auto group = tree.group("embedding", kEmbeddingComponent);
        addLinear(tree, "patches", 14 * 14, 16 * 16 * 3, sizes.dModel);
    }
    {
        const auto group = tree.group("blocks", kNormComponent, 0, 12);
        addCost(block, pass, tree);
    }
    addNorm("final_norm", Norm{}, pass, tree);
    const auto group = tree.group("head", kHeadComponent);
    addLinear(tree, "classifier", 1, sizes.dModel, sizes.classes);
    return tree;
}

// torchvision's vit_b_16: 17.564 G operations, which are multiply-adds.
TEST(VitB16, HasThePrintedMacs)
{
    EXPECT_EQ(pricedPart(LensId::mac, vit({768, 12, 1000}), 0), 17'563'828'224);
    EXPECT_EQ(pricedPart(LensId::matmul, vit({768, 12, 1000}), 0), 35'127'656'448);
}

// timm's benchmark tables: 17.58 with eager attention, 16.87 where scaled_dot_product_attention
// hides its products.
TEST(VitB16, HasTheMacsOfTimmsTables)
{
    const CostTree<Count> tree = vit({768, 12, 1000});

    EXPECT_EQ(pricedPart(LensId::fvcoreEager, tree, 0), 17'582'740'224);
    EXPECT_EQ(pricedPart(LensId::fvcore, tree, 0), 16'867'412'736);
}

TEST(VitTi16, WithTwoClassesUnderFvcoreAndThop)
{
    const CostTree<Count> tree = vit({192, 3, 2});

    EXPECT_EQ(pricedPart(LensId::fvcoreEager, tree, 0), 1'258'219'584);
    EXPECT_EQ(pricedPart(LensId::thop, tree, 0), 1'078'442'112);
}

// Latent attention in its expanded form: q 7168 → 1536 → 128·(128 + 64), k and v
// 7168 → 512 + 64 and 512 → 128·(128 + 128), values of 128 features.
void addLatentAttention(CostTree<Count>& tree, Count tokens)
{
    const Count heads = 128;
    const Count pairs = heads * tokens * (tokens + 1) / 2;
    addLinear(tree, "q_a", tokens, 7168, 1536);
    addLinear(tree, "q_b", tokens, 1536, heads * 192);
    addLinear(tree, "kv_a", tokens, 7168, 512 + 64);
    addLinear(tree, "kv_b", tokens, 512, heads * 256);
    tree.operation("scores", OpKind::scores, pairs, {.count = {.mac = 192 * pairs}});
    tree.operation("weighted_sum", OpKind::weightedSum, pairs, {.count = {.mac = 128 * pairs}});
    addLinear(tree, "out", tokens, heads * 128, 7168);
}

// 3 dense blocks and 58 of 256 experts, 8 of them used, and one shared.
CostTree<Count> deepSeekV3(int tokens)
{
    const Pass<Count> pass = passOver(tokens, 7168);
    const FfnSpec dense = GatedFfn{.dFf = 18432};
    const FfnSpec experts =
        MoeFfn{.experts = 256, .perToken = 8, .dFf = 2048, .sharedExperts = 1, .sharedDFf = 2048};
    CostTree<Count> tree;
    const auto root = tree.group("model", kNormComponent);
    for (const auto& [ffn, layers] : {std::pair{dense, 3}, std::pair{experts, 58}}) {
        const auto group = tree.group("blocks", kNormComponent, layers, layers);
        addLatentAttention(tree, tokens);
        const auto inner = tree.group("ffn", kNormComponent);
        addCost(ffn, pass, tree);
    }
    const auto group = tree.group("head", kHeadComponent);
    addLinear(tree, "logits", tokens, 7168, 129280);
    return tree;
}

// Recounted by others for a prefill of 8192 tokens; the paper's table says 250 GFLOP of training
// per token at 4096.
TEST(DeepSeekV3, PrefillAndTrainingPerToken)
{
    EXPECT_EQ(pricedPart(LensId::matmul, deepSeekV3(8192), 0), 767'753'388'556'288);
    EXPECT_NEAR(3 * toDouble(pricedPart(LensId::matmul, deepSeekV3(4096), 0)) / 4096, 250e9, 5e8);
}

} // namespace
} // namespace flopsmith
