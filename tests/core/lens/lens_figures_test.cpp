// SPDX-License-Identifier: GPL-3.0-or-later
// Figures that tools and papers printed, with the sizes typed again from where they were printed.
#include "core/ffn/moe.h"
#include "core/lens/cost_summary.h"
#include "core/lens/lens_total.h"
#include "core/lens/waterfall.h"
#include "core/mixer/attention.h"
#include "core/model/operation.h"
#include "core/model/presets.h"

#include <gtest/gtest.h>

#include <map>

namespace flopsmith {
namespace {

Count forward(const Scenario& scenario, LensId lensId)
{
    return lensTotal(scenario, lensId).figure.value();
}

// A figure as printed: in units of 10^9 with so many decimals.
std::string giga(Count figure, int decimals)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, toDouble(figure) / 1e9);
    return text;
}

// nanoGPT's GPT-2 small with bias=False: 124,337,664 parameters.
Scenario gpt2WithoutBiases()
{
    Model model;
    model.dModel = 768;
    model.embedding = {.vocab = 50257, .positionRows = 1024};
    const Norm norm{.shift = false};
    Block block;
    block.mixer = Attention{.heads = 12, .kvHeads = 12, .qkvBias = false, .outBias = false};
    block.ffn = DenseFfn{.dFf = 3072, .bias = false};
    block.norm = norm;
    model.runs = {{block, 12}};
    model.finalNorm = norm;
    return {model, {.sequence = 1024}};
}

TEST(NanoGpt, HasThePrintedParameters)
{
    EXPECT_EQ(costTree(gpt2WithoutBiases()).total().parameters.trainable, 124'337'664);
}

// transformer_sizing.ipynb, stored outputs.
TEST(NanoGpt, ForwardBackwardAndTotal)
{
    const LensTotal total = lensTotal(gpt2WithoutBiases(), LensId::matmul);

    EXPECT_EQ(*total.figure, 291'648'307'200);
    EXPECT_EQ(*total.training - *total.figure, 583'296'614'400);
    EXPECT_EQ(*total.training, 874'944'921'600);
}

TEST(NanoGpt, EveryPrintedComponent)
{
    const CostTree<Count> tree = costTree(gpt2WithoutBiases(), PairsRule::full);
    std::map<std::string, Count> flops;
    for (int i = 0; i < tree.size(); ++i) {
        flops[tree.path(i)] = pricedPart(LensId::matmul, tree, i);
    }

    EXPECT_EQ(flops.at("blocks[0]/attention/qkv_proj"), 3'623'878'656);
    EXPECT_EQ(flops.at("blocks[0]/attention/scores"), 1'610'612'736);
    EXPECT_EQ(flops.at("blocks[0]/attention/weighted_sum"), 1'610'612'736);
    EXPECT_EQ(flops.at("blocks[0]/attention/out_proj"), 1'207'959'552);
    EXPECT_EQ(flops.at("blocks[0]/attention"), 8'053'063'680);
    EXPECT_EQ(flops.at("blocks[0]/ffn"), 9'663'676'416);
    EXPECT_EQ(flops.at("blocks[0]"), 17'716'740'096);
    EXPECT_EQ(12 * flops.at("blocks[0]"), 212'600'881'152);
    EXPECT_EQ(flops.at("head"), 79'047'426'048);
}

// The notebook's formula leaves out the position table; 6N + 12·L·H·Q·T for 1024 tokens.
TEST(NanoGpt, PalmFormula)
{
    EXPECT_EQ(*lensTotal(gpt2WithoutBiases(), LensId::palm).training, 875'062'886'400);
}

// Table D.1 of Brown et al. 2020: 174,600 M parameters, 300 B tokens, 3.14e23 FLOPs.
TEST(Gpt3, HasThePrintedParametersAndTrainingCompute)
{
    Scenario gpt3{*presetNamed("gpt2"), {.sequence = 2048}};
    Model& model = gpt3.model;
    model.dModel = 12'288;
    model.embedding.positionRows = 2048;
    model.runs.front().repeat = 96;
    model.runs.front().block.mixer = Attention{.heads = 96, .kvHeads = 96};
    model.runs.front().block.ffn = DenseFfn{.dFf = 4 * 12'288};
    const LensTotal total = lensTotal(gpt3, LensId::gpt3);

    EXPECT_NEAR(toDouble(costTree(gpt3).total().parameters.trainable), 174'600e6, 10e6);
    EXPECT_NEAR(toDouble(*total.training) / 2048 * 300e9, 3.14e23, 0.005e23);
}

// One model, one pass of 1024 tokens, as tools and papers print it, in G.
TEST(Gpt2Small, IsManyFigures)
{
    const Scenario scenario = gpt2WithoutBiases();
    const FormulaSizes<Count> sizes = formulaSizes(scenario);

    EXPECT_EQ(giga(forward(scenario, LensId::fvcore), 1), "126.6");
    EXPECT_EQ(giga(lensTotal(scenario, LensId::kaplan).terms[0].amount, 1), "174.0")
        << "2N alone, without the context";
    EXPECT_EQ(giga(forward(scenario, LensId::torchCpu), 1), "253.0");
    EXPECT_EQ(giga(priced(LensId::matmul, costTree(scenario).total().count), 1), "272.3");
    EXPECT_EQ(giga(forward(scenario, LensId::matmul), 3), "291.648");
    EXPECT_EQ(giga(forward(scenario, LensId::megatron), 3), "291.648")
        << "Megatron's formula, made for this shape";
    // 4·d per token for the embedding, as in table 1 of Kaplan et al.
    EXPECT_EQ(giga(forward(scenario, LensId::matmul) + 4 * sizes.tokens * sizes.dModel, 3),
              "291.651");
    // With the position table in N; without it 291.7.
    FormulaSizes<Count> allParameters = sizes;
    allParameters.positionParameters = 0;
    const FormulaTerms<Count> palm = forwardTerms(LensId::palm, allParameters);
    EXPECT_EQ(giga(palm[0].amount + palm[1].amount, 1), "293.3");
    EXPECT_EQ(giga(forward(scenario, LensId::palm), 1), "291.7");
    EXPECT_EQ(giga(forward(scenario, LensId::chinchilla), 2), "371.15");
}

TEST(Gpt2Small, FormulasAgreeWithTheProductsWhereTheyWereMadeForThem)
{
    const Scenario scenario{*presetNamed("gpt2"), {.sequence = 1024}};
    const Count core = 12 * 2 * (Count{2} * 1024 * 1024 * 768);

    EXPECT_EQ(forward(scenario, LensId::exact) > 272'339'828'736, true);
    EXPECT_EQ(forward(scenario, LensId::megatron), forward(scenario, LensId::matmul));
    EXPECT_EQ(forward(scenario, LensId::yu), 212'600'881'152);
    EXPECT_EQ(forward(scenario, LensId::flash), 291'648'307'200 - core / 2);
    EXPECT_EQ(2 * forward(scenario, LensId::mac), forward(scenario, LensId::matmul));
}

// Narayanan et al. 2021: 96·B·s·l·h²·(1 + s/6h + V/16lh), with recomputation.
TEST(Megatron, TrainingIsThePublishedFormula)
{
    const Scenario scenario{*presetNamed("gpt2"), {.batch = 3, .sequence = 512}};
    const Count bsl = Count{3} * 512 * 12;
    const Count h = 768;

    EXPECT_EQ(*lensTotal(scenario, LensId::megatron).training,
              96 * bsl * h * h + 16 * bsl * 512 * h + 6 * Count{3} * 512 * h * 50257);
}

struct ChinchillaSizes
{
    int layers;
    int dModel;
    int dFf;
    int heads;
    int headDim;
    std::int64_t published;
};

class Chinchilla : public testing::TestWithParam<ChinchillaSizes>
{};

// scaling_laws.ipynb, stored outputs: appendix F without embedding and logits, times 3.
TEST_P(Chinchilla, BlocksTimesThreeAreTheNotebooksFigure)
{
    const ChinchillaSizes& sizes = GetParam();
    Model model;
    model.dModel = sizes.dModel;
    model.embedding = {.vocab = 32000, .positions = Positions::none};
    Block block;
    block.mixer = Attention{.heads = sizes.heads, .kvHeads = sizes.heads, .headDim = sizes.headDim};
    block.ffn = DenseFfn{.dFf = sizes.dFf};
    model.runs = {{block, sizes.layers}};

    const LensTotal total = lensTotal({model, {.sequence = 2048}}, LensId::chinchilla);

    ASSERT_EQ(total.terms.size(), 5U);
    const Count embedding = total.terms.front().amount;
    const Count logits = total.terms.back().amount;
    EXPECT_EQ(3 * (*total.figure - embedding - logits), sizes.published);
    EXPECT_EQ(embedding, Count{2} * 2048 * 32000 * sizes.dModel);
    EXPECT_EQ(logits, embedding);
}

INSTANTIATE_TEST_SUITE_P(
    Notebook,
    Chinchilla,
    testing::Values(ChinchillaSizes{10, 640, 2560, 10, 64, 929'877'196'800},
                    ChinchillaSizes{40, 3584, 14336, 28, 128, 83'021'046'743'040}));

// PaLM, appendix B: N = 540e9, L = 118, H = 48, Q = 256, T = 2048, 238.3 k tokens/s on 6144 chips.
TEST(Palm, ModelFlopsUtilisationOf540B)
{
    const FormulaSizes<Count> sizes{.tokens = 1,
                                    .context = 2048,
                                    .parameters = Count{540} * 1'000'000'000,
                                    .scores = Count{118} * 48 * 256 * 2048,
                                    .weightedSums = Count{118} * 48 * 256 * 2048};
    const FormulaTerms<Count> terms = forwardTerms(LensId::palm, sizes);
    const double peak = 6144 * 275e12;
    const double tokensPerSecond = 238.3e3;

    EXPECT_NEAR(3 * toDouble(terms[0].amount) * tokensPerSecond / peak, 0.457, 0.0005);
    EXPECT_NEAR(
        3 * toDouble(terms[0].amount + terms[1].amount) * tokensPerSecond / peak, 0.462, 0.0005);
}

// GPT-3, table D.1: 6 · 174,600 M · 300 B = 3.14e23 FLOP.
TEST(Gpt3, TrainingIsSixNTokens)
{
    Model model;
    model.dModel = 12288;
    model.embedding = {.vocab = 50257, .positionRows = 2048};
    Block block;
    block.mixer = Attention{.heads = 96, .kvHeads = 96};
    block.ffn = DenseFfn{.dFf = 49152};
    model.runs = {{block, 96}};
    const Scenario scenario{model, {.sequence = 1}};
    const Count parameters = costTree(scenario).total().parameters.trainable;

    EXPECT_EQ(giga(parameters, 1), "174.6");
    EXPECT_NEAR(6 * toDouble(parameters) * 300e9, 3.14e23, 0.005e23);
    EXPECT_NEAR(
        3 * toDouble(lensTotal(scenario, LensId::palm).terms[0].amount) * 300e9, 3.14e23, 0.005e23);
}

// calflops' README, batch 1, 128 tokens.
TEST(Calflops, Llama7B)
{
    const Scenario scenario{*presetNamed("llama-2-7b"), {.sequence = 128}};
    const LensTotal total = lensTotal(scenario, LensId::calflops);

    EXPECT_EQ(giga(forward(scenario, LensId::mac), 2), "850.00");
    EXPECT_EQ(giga(*total.figure, 2), "1700.06");
    EXPECT_EQ(giga(*total.training, 2), "5100.19");
    EXPECT_EQ(costTree(scenario).total().parameters.trainable, 6'738'415'616);
}

// The same table's bloom-7b1 is BloomModel without LM head. Its hooks do not see baddbmm (the
// scores), BloomGelu, and the biases of nn.Linear.
TEST(Calflops, Bloom7BWithWhatItsHooksMissTakenOut)
{
    Model model;
    model.dModel = 4096;
    model.embedding = {.vocab = 250880, .positions = Positions::none, .norm = Norm{}};
    Block block;
    block.mixer = Attention{.heads = 32, .kvHeads = 32};
    block.ffn = DenseFfn{.dFf = 16384};
    model.runs = {{block, 30}};
    model.head = {.kind = HeadKind::none};
    const Scenario scenario{model, {.sequence = 128}};
    const CostTree<Count> tree = costTree(scenario, PairsRule::full);
    Count missedMacs = 0;
    Count missed = 0;
    tree.forEachOperation(0, [&](const CostTree<Count>::Node& node, const Count& times) {
        if (node.kind == OpKind::scores) {
            missedMacs += times * node.cost.count.mac;
        } else if (node.kind == OpKind::linear) {
            missed += times * node.cost.count.add;
        } else if (node.kind == OpKind::activation) {
            missed += times * node.elements;
        }
    });
    const Count flops = forward(scenario, LensId::calflops) - 2 * missedMacs - missed;

    EXPECT_EQ(tree.total().parameters.trainable, 7'069'016'064);
    EXPECT_EQ(giga(forward(scenario, LensId::mac) - missedMacs, 2), "775.11");
    EXPECT_EQ(giga(flops, 2), "1550.39");
    EXPECT_EQ(giga(3 * flops, 2), "4651.18");
}

// README of DeepSpeed's flops profiler: BERT-Large, batch 80, 128 tokens: 3092.88 G MACs, which are
// the linear layers and 1 per softmax element; with attention they are 3156.80.
TEST(DeepSpeed, BertLarge)
{
    Model model;
    model.dModel = 1024;
    Block block;
    block.mixer = Attention{.heads = 16, .kvHeads = 16, .causal = false};
    block.ffn = DenseFfn{.dFf = 4096};
    model.runs = {{block, 24}};
    model.head = {.kind = HeadKind::none};
    const Scenario scenario{model, {.batch = 80, .sequence = 128}};
    const FormulaSizes<Count> sizes = formulaSizes(scenario);

    EXPECT_EQ(giga(sizes.blockProducts() + sizes.softmax, 2), "3092.88");
    EXPECT_EQ(giga(forward(scenario, LensId::mac), 2), "3156.80");
}

// torch's test_flop_counter: batch 4, 8 heads of 64; the causal flag changes nothing.
TEST(TorchFlopCounter, ScaledDotProductAttention)
{
    const auto flops = [](int queries, int keys, bool causal) {
        const CostTree<Count> tree =
            costTree(Operation{.what = MixerSpec{Attention{
                                   .heads = 8, .kvHeads = 8, .headDim = 64, .causal = causal}},
                               .dModel = 512,
                               .batch = 4,
                               .sequence = queries,
                               .context = keys},
                     PairsRule::full);
        Count sum = 0;
        for (const auto& node : tree.nodes()) {
            sum += isAttentionCore(node.kind) ? pricedNode<Count>(LensId::matmul, node) : Count{0};
        }
        return sum;
    };

    EXPECT_EQ(flops(128, 128, true), 134'217'728);
    EXPECT_EQ(flops(128, 128, false), 134'217'728);
    EXPECT_EQ(flops(128, 256, false), 268'435'456);
}

// The design note on one token: d = 4096, f = 16384, MACs: attention 5d² = 83.9 M, FFN 134.3 M
// with 2 per element of the activation; 38 % and 62 %.
TEST(PerToken, TheNotesBlockInItsCorrectedForm)
{
    Model model;
    model.dModel = 4096;
    Block block;
    block.mixer = Attention{.heads = 32, .kvHeads = 32};
    block.ffn = DenseFfn{.dFf = 16384};
    model.runs = {{block, 1}};
    model.finalNorm = Norm::absent();
    const LensTotal once = lensTotal({model, {.sequence = 1}}, LensId::perToken);
    const LensTotal often = lensTotal({model, {.batch = 2, .sequence = 512}}, LensId::perToken);
    const Count attention = once.terms[0].amount + once.terms[1].amount;
    const Count ffn = once.terms[2].amount + once.terms[3].amount;

    EXPECT_EQ(attention, 5 * Count{4096} * 4096);
    EXPECT_EQ(ffn, 2 * Count{4096} * 16384 + 2 * 16384);
    EXPECT_EQ(giga(1000 * *once.figure, 0), "218");
    EXPECT_NEAR(toDouble(attention) / toDouble(*once.figure), 0.38, 0.005);
    EXPECT_EQ(*often.figure, *once.figure) << "whatever the context";
}

// 24·D²·L + 4·D·L² and the block of the one-pager, corrected, on D = 512, L = 128.
TEST(Block, OfWidth512On128Tokens)
{
    Model model;
    model.dModel = 512;
    Block block;
    block.mixer = Attention{.heads = 8, .kvHeads = 8};
    block.ffn = DenseFfn{.dFf = 2048};
    model.runs = {{block, 1}};
    model.finalNorm = Norm::absent();
    model.head = {.kind = HeadKind::none};
    const Scenario scenario{model, {.sequence = 128}};
    const Count products = 24 * Count{512} * 512 * 128 + 4 * Count{512} * 128 * 128;
    const Count t = 128;

    EXPECT_EQ(forward(scenario, LensId::yu), products);
    EXPECT_EQ(forward(scenario, LensId::matmul), products);
    EXPECT_EQ(forward(scenario, LensId::onePager),
              products + t * (3 * 512 + 512 + 2048 + 512) // biases
                  + 8 * t * 2048 + 5 * t * 512 * 2);
    EXPECT_EQ(forward(scenario, LensId::electra),
              products + t * (3 * 512 + 512 + 2048 + 512) + 8 * t * t // scale, 8 heads
                  + (5 + 4) * 8 * t * t + 8 * t * 2048 + 5 * t * 512 * 2 + (1 + 4) * t * 512 * 2
                  + t * 512); // positions
}

TEST(Formulas, SayWhatTheyMissInModelsTheyWereNotMadeFor)
{
    const auto remarks = [](std::string_view preset, LensId lensId) {
        return lensTotal({*presetNamed(preset), {.sequence = 64}}, lensId).remarks;
    };
    Scenario experts{*presetNamed("gpt2"), {.sequence = 64}};
    experts.model.runs.front().block.ffn = MoeFfn{};

    for (const Lens& each : lenses()) {
        if (!each.isFormula()) {
            continue;
        }
        EXPECT_TRUE(remarks("gpt2", each.id).empty()) << each.name;
        EXPECT_FALSE(remarks("gpt2-ultra-efficient", each.id).empty()) << each.name;
    }
    for (const LensId id : {LensId::kaplan, LensId::palm}) {
        EXPECT_NE(lensTotal(experts, id).remarks.at(0).find("too high"), std::string::npos);
        EXPECT_NE(remarks("gpt2-shared", id).at(0).find("too low"), std::string::npos);
    }
    EXPECT_TRUE(remarks("llama-2-7b", LensId::palm).empty()) << "gated FFNs are products too";
    EXPECT_FALSE(remarks("gpt2-ultra-efficient-ffn", LensId::kaplan).empty());
    EXPECT_FALSE(remarks("llama-2-7b", LensId::megatron).empty()) << "gated FFN";
    EXPECT_FALSE(remarks("fnet-base", LensId::yu).empty()) << "no attention";
    EXPECT_FALSE(remarks("bert-base", LensId::megatron).empty()) << "no logits";
}

// GPT-2 of 1,024 tokens, as each formula's authors reckon a step.
TEST(TrainingStep, IsThatOfTheLensWhateverThePhaseIsAskedIn)
{
    Scenario scenario{*presetNamed("gpt2"), {.sequence = 1024}};
    const std::map<LensId, Count> steps{{LensId::gpt3, 764'558'180'352},
                                        {LensId::palm, 875'690'459'136},
                                        {LensId::megatron, 1'087'545'802'752}};
    for (const auto& [id, step] : steps) {
        scenario.workload.phase = Phase::prefill;
        EXPECT_EQ(lensTotal(scenario, id).training, step) << lens(id).name;
        scenario.workload.phase = Phase::train;
        EXPECT_EQ(lensTotal(scenario, id).figure, step) << lens(id).name;
        EXPECT_EQ(summary(costTree(scenario), scenario, id).flops, step) << lens(id).name;
        EXPECT_EQ(lensBreakdown(scenario, id).total(), step) << lens(id).name;
    }
}

TEST(TrainingStep, IsNoLessThanAForwardPass)
{
    for (const Preset& preset : presets()) {
        for (const Lens& each : lenses()) {
            Scenario scenario{preset.make(), {.batch = 2, .sequence = 128}};
            const Count forward = lensTotal(scenario, each.id).figure.value();
            for (const Checkpointing kept : {Checkpointing::none, Checkpointing::full}) {
                scenario.workload.phase = Phase::train;
                scenario.workload.checkpointing = kept;
                const LensTotal step = lensTotal(scenario, each.id);
                if (step.figure) {
                    EXPECT_GE(*step.figure, forward) << preset.id << ", " << each.name;
                } else {
                    EXPECT_EQ(each.trainingFactor, 0) << each.name;
                    EXPECT_EQ(step.remarks.size(), 1U) << each.name;
                }
            }
        }
    }
}

} // namespace
} // namespace flopsmith
