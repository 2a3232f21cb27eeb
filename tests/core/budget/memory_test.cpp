// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/budget/memory.h"

#include "core/ffn/no_ffn.h"
#include "core/lens/cost_summary.h"
#include "core/mixer/mixer_variants.h"
#include "core/model/presets.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

Scenario preset(const char* id, const Workload& workload)
{
    return {.model = *presetNamed(id), .workload = workload};
}

Workload training(int batch, int sequence, Checkpointing checkpointing = Checkpointing::none)
{
    return {.phase = Phase::train,
            .batch = batch,
            .sequence = sequence,
            .precision = {.weightBits = 16, .activationBits = 16},
            .optimizer = Optimizer::adamMixed,
            .checkpointing = checkpointing};
}

Count parametersOf(const Scenario& scenario)
{
    return costTree(scenario).total().parameters.trainable;
}

Attention& attentionOf(Block& block)
{
    return get<Attention>(block.mixer);
}

// A model of one GPT-style layer of width h without embedding, head and final norm to speak of.
Scenario oneLayer(AttentionAlgorithm algorithm, const Workload& workload)
{
    Model model = *presetNamed("gpt2");
    model.runs.front().repeat = 1;
    attentionOf(model.runs.front().block).algorithm = algorithm;
    model.finalNorm = Norm::absent();
    model.head.kind = HeadKind::none;
    return {.model = model, .workload = workload};
}

// Korthikanti et al. 2022 (arXiv:2205.05198), equation 1: a layer keeps s·b·h·(34 + 5·a·s/h) bytes
// with 16-bit activations. 2·s·b·h + 3·a·s²·b of them belong to dropout (masks of a byte per
// element behind attention and MLP, mask and output behind the softmax), which is counted nowhere
// here. We also keep the factor of each norm's tokens, two of 2 bytes.
TEST(ActivationMemory, OfALayerIsKorthikantisFormulaWithoutDropout)
{
    const std::int64_t b = 4;
    const std::int64_t s = 256;
    const std::int64_t h = 768;
    const std::int64_t a = 12;
    const Scenario scenario =
        oneLayer(AttentionAlgorithm::materialised, training(b, s, Checkpointing::none));

    const Count published = s * b * (34 * h + 5 * a * s);
    const Count dropout = 2 * s * b * h + 3 * a * s * s * b;
    const Count factors = 2 * 2 * s * b;
    EXPECT_TRUE(memory(scenario).total(MemoryKind::activations) == published - dropout + factors);
}

// The same paper, table 2: selective recomputation keeps 34·s·b·h.
TEST(ActivationMemory, SelectiveCheckpointingDropsTheScores)
{
    const std::int64_t b = 4;
    const std::int64_t s = 256;
    const std::int64_t h = 768;
    const Scenario scenario =
        oneLayer(AttentionAlgorithm::materialised, training(b, s, Checkpointing::selective));

    EXPECT_TRUE(memory(scenario).total(MemoryKind::activations)
                == 34 * s * b * h - 2 * s * b * h + 2 * 2 * s * b);
}

// The same paper, table 2: full recomputation keeps 2·s·b·h per layer.
TEST(ActivationMemory, FullCheckpointingGrowsByOneInputPerLayer)
{
    Scenario scenario =
        oneLayer(AttentionAlgorithm::materialised, training(4, 256, Checkpointing::full));
    const Count one = memory(scenario).total(MemoryKind::activations);
    scenario.model.runs.front().repeat = 11;

    EXPECT_TRUE(memory(scenario).total(MemoryKind::activations) - one
                == Count{10} * 2 * 256 * 4 * 768);
}

TEST(ActivationMemory, FullCheckpointingOfOneLayerIsAllOfItAndItsInput)
{
    const auto kept = [](Checkpointing checkpointing) {
        return memory(oneLayer(AttentionAlgorithm::flash, training(4, 256, checkpointing)))
            .total(MemoryKind::activations);
    };

    EXPECT_TRUE(kept(Checkpointing::full) == kept(Checkpointing::none) + Count{2} * 256 * 4 * 768);
}

// Flash attention keeps the maximum and the total of each row instead of S × S probabilities.
TEST(ActivationMemory, FlashAttentionGrowsLinearlyWithTheSequence)
{
    const auto kept = [](AttentionAlgorithm algorithm, int sequence) {
        return memory(oneLayer(algorithm, training(1, sequence))).total(MemoryKind::activations);
    };

    EXPECT_TRUE(kept(AttentionAlgorithm::flash, 512) == 2 * kept(AttentionAlgorithm::flash, 256));
    EXPECT_TRUE(kept(AttentionAlgorithm::materialised, 512)
                > 2 * kept(AttentionAlgorithm::materialised, 256));
}

// Rajbhandari et al. 2020 (ZeRO, arXiv:1910.02054), section 3.1: mixed-precision Adam takes
// 2 + 2 + 12 = 16 bytes per parameter.
TEST(OptimizerMemory, MixedPrecisionAdamTakes16BytesPerParameter)
{
    const Scenario scenario = preset("gpt2-xl", training(1, 16));
    const Memory all = memory(scenario);

    EXPECT_TRUE(all.total(MemoryKind::weights) + all.total(MemoryKind::gradients)
                    + all.total(MemoryKind::optimizer)
                == 16 * parametersOf(scenario));
    EXPECT_TRUE(parametersOf(scenario) == 1'557'611'200);
}

TEST(OptimizerMemory, OfEachOptimizer)
{
    struct Case
    {
        Optimizer optimizer;
        int bytes; ///< per parameter: weights, gradients and state with 32-bit weights
    };
    for (const Case& each : {Case{Optimizer::sgd, 8},
                             Case{Optimizer::momentum, 12},
                             Case{Optimizer::adam, 16},
                             Case{Optimizer::adamMixed, 20}}) {
        Workload workload{.phase = Phase::train, .sequence = 16};
        workload.optimizer = each.optimizer;
        const Scenario scenario = preset("gpt2", workload);
        const Memory all = memory(scenario);

        EXPECT_TRUE(all.total(MemoryKind::weights) + all.total(MemoryKind::gradients)
                        + all.total(MemoryKind::optimizer)
                    == each.bytes * parametersOf(scenario))
            << enumName(each.optimizer);
    }
}

// A shared parameter is stored, has a gradient and is updated once.
TEST(OptimizerMemory, SharedBlocksAreStoredOnce)
{
    const Memory shared = memory(preset("gpt2-shared", training(1, 16)));
    Scenario one = preset("gpt2", training(1, 16));
    one.model.runs.front().repeat = 1;
    const Memory single = memory(one);

    for (const MemoryKind kind :
         {MemoryKind::weights, MemoryKind::gradients, MemoryKind::optimizer}) {
        EXPECT_TRUE(shared.total(kind) == single.total(kind)) << title(kind);
    }
    EXPECT_TRUE(shared.total(MemoryKind::activations) > single.total(MemoryKind::activations));
}

struct CacheCase
{
    const char* preset;
    std::int64_t bytesPerToken; ///< with 16 bits
};

// Published models' caches, 2·L·G·h·2 bytes: 32·2·8·128·2 for Llama-3-8B, and so on; of latents
// 61·(512 + 64)·2 for DeepSeek-V3.
TEST(CacheMemory, PerTokenIsThePublishedFigure)
{
    for (const CacheCase& each : {CacheCase{"gpt2", 36'864},
                                  CacheCase{"gpt2-medium", 98'304},
                                  CacheCase{"gpt2-xl", 307'200},
                                  CacheCase{"llama-2-7b", 524'288},
                                  CacheCase{"llama-3-8b", 131'072},
                                  CacheCase{"mistral-7b", 131'072},
                                  CacheCase{"mixtral-8x7b", 131'072},
                                  CacheCase{"deepseek-v3", 70'272}}) {
        const Workload workload{.sequence = 1000, .precision = {.kvBits = 16}};
        const Memory all = memory(preset(each.preset, workload));

        EXPECT_TRUE(all.total(MemoryKind::kvCache) == 1000 * Count{each.bytesPerToken})
            << each.preset;
    }
}

// Llama-2-70B: 80 layers with 8 key-value heads of 128 features, 327,680 bytes per token.
TEST(CacheMemory, OfLlama70BWithGroupedQueries)
{
    Model model = *presetNamed("llama-2-7b");
    model.dModel = 8192;
    model.runs.front().repeat = 80;
    Attention& attention = attentionOf(model.runs.front().block);
    attention.heads = 64;
    attention.kvHeads = 8;
    const Workload workload{.phase = Phase::decode, .context = 1, .precision = {.kvBits = 16}};

    EXPECT_TRUE(memory({model, workload}).total(MemoryKind::kvCache) == 327'680);
}

TEST(CacheMemory, OfASlidingWindowStopsGrowing)
{
    const auto bytes = [](int context) {
        const Workload workload{.phase = Phase::decode, .context = context};
        return memory(preset("mistral-7b", workload)).total(MemoryKind::kvCache);
    };

    EXPECT_TRUE(bytes(4096) == 4096 * bytes(1));
    EXPECT_TRUE(bytes(30'000) == bytes(4096));
}

// gpt-oss-20b: half of its 24 layers of 8 heads of 64 features see 128 tokens.
TEST(CacheMemory, WithoutWindowsIsThatOfAnEngineThatKeepsAll)
{
    Model model = *presetNamed("llama-2-7b");
    model.dModel = 2880;
    Attention& attention = attentionOf(model.runs.front().block);
    attention.heads = 64;
    attention.kvHeads = 8;
    attention.headDim = 64;
    model.runs.front().repeat = 12;
    model.runs.push_back(model.runs.front());
    attentionOf(model.runs.back().block).window = 128;
    const Scenario scenario{
        model, {.phase = Phase::decode, .batch = 32, .context = 8192, .precision = {.kvBits = 16}}};

    EXPECT_EQ(digits(memory(scenario).total(MemoryKind::kvCache)), "6543114240");
    EXPECT_EQ(digits(cacheBytesWithoutWindows(scenario)), "12884901888");
    for (const Scenario& whole : {preset("gpt2", {}), preset("bert-base", {})}) {
        EXPECT_TRUE(cacheBytesWithoutWindows(whole) == memory(whole).total(MemoryKind::kvCache));
    }
}

TEST(CacheMemory, IsTheSameAfterPrefillAndWhileDecoding)
{
    const Workload prefill{.batch = 3, .sequence = 70};
    const Workload decode{.phase = Phase::decode, .batch = 3, .context = 70};

    EXPECT_TRUE(memory(preset("llama-3-8b", prefill)).total(MemoryKind::kvCache)
                == memory(preset("llama-3-8b", decode)).total(MemoryKind::kvCache));
}

TEST(CacheMemory, EncodersAndTrainingHaveNone)
{
    EXPECT_TRUE(memory(preset("bert-base", {})).total(MemoryKind::kvCache) == 0);
    EXPECT_TRUE(memory(preset("gpt2", training(1, 64))).total(MemoryKind::kvCache) == 0);
}

// DeepSeek-V2-Lite: 27 layers, a latent of 512 and 64 rotated features each: 31,104 bytes per token
// with 16 bits. DeepSeek-V3: 61 layers, 70,272 bytes.
TEST(CacheMemory, OfLatentAttentionIsThePublishedFigure)
{
    struct Case
    {
        int layers;
        std::int64_t bytesPerToken;
    };
    for (const Case& each : {Case{27, 31'104}, Case{61, 70'272}}) {
        Model model = *presetNamed("llama-2-7b");
        model.runs.front().block.mixer = LatentAttention{};
        model.runs.front().repeat = each.layers;
        const Workload workload{
            .phase = Phase::decode, .context = 100, .precision = {.kvBits = 16}};

        EXPECT_TRUE(memory({model, workload}).total(MemoryKind::kvCache)
                    == 100 * Count{each.bytesPerToken});
    }
}

// Gemma-3-1B: 26 layers with one key-value head of 256 features, 26,624 bytes per token.
TEST(CacheMemory, OfGemma3IsThePublishedFigure)
{
    Model model = *presetNamed("llama-2-7b");
    model.dModel = 1152;
    model.runs.front().repeat = 26;
    Attention& attention = attentionOf(model.runs.front().block);
    attention.heads = 4;
    attention.kvHeads = 1;
    attention.headDim = 256;
    const Workload workload{.sequence = 10, .precision = {.kvBits = 16}};

    EXPECT_TRUE(memory({model, workload}).total(MemoryKind::kvCache) == 266'240);
}

// What cross-attention caches belongs to the source and does not grow with the decoded tokens.
TEST(CacheMemory, OfCrossAttentionIsThatOfTheSource)
{
    Model model = *presetNamed("tiny");
    Block encoder = model.runs.front().block;
    attentionOf(encoder).causal = false;
    encoder.stack = Stack::encoder;
    Block decoder = model.runs.front().block;
    decoder.cross = CrossAttention{.heads = 2, .kvHeads = 2};
    model.runs = {{encoder, 1}, {decoder, 1}};
    const auto cross = [&model](int context) {
        Workload workload{.phase = Phase::decode, .batch = 3, .context = context};
        workload.source = 50;
        return memory({model, workload}).total(*CrossAttention::info().component);
    };
    const Count weights = cross(2) - Count{4} * 3 * 50 * 2 * model.dModel;

    EXPECT_TRUE(cross(2) == cross(60));
    EXPECT_TRUE(weights == Count{4} * 4 * model.dModel * model.dModel);
}

// Adam on a copy in 32 bits, gradients in 32 bits: 18 bytes per parameter.
TEST(GradientMemory, HasBitsOfItsOwn)
{
    Workload workload{.phase = Phase::train, .sequence = 16, .precision = Precision::of(16)};
    workload.optimizer = Optimizer::adamMixed;
    workload.precision.gradientBits = 32;
    const Memory needed = memory(preset("llama-3-8b", workload));

    EXPECT_TRUE(needed.total(MemoryKind::weights) + needed.total(MemoryKind::gradients)
                    + needed.total(MemoryKind::optimizer)
                == 144'544'702'464);
}

TEST(WeightMemory, OfQuantisedGroups)
{
    const Workload workload{.sequence = 16,
                            .precision = {.weightBits = 4, .weightGroup = 32}}; // 4.5 bits
    const Scenario scenario = preset("llama-2-7b", workload);

    EXPECT_TRUE(
        memory(scenario).total(MemoryKind::weights)
        == storedBytes(parametersOf(scenario), workload.precision.format(WeightKind::matrices)));
    EXPECT_TRUE(memory(scenario).total(MemoryKind::weights) == Count{6'738'415'616} * 9 / 16);
}

TEST(Memory, ItemsSumToTheTotalBothWays)
{
    for (const Preset& each : presets()) {
        for (const Phase phase : {Phase::prefill, Phase::train}) {
            Workload workload{.phase = phase, .batch = 3, .sequence = 33};
            workload.precision.activationBits = 8;
            const Memory all = memory({each.make(), workload});
            Count byKind = 0;
            for (std::size_t i = 0; i < enumNames<MemoryKind>().size(); ++i) {
                byKind += all.total(static_cast<MemoryKind>(i));
            }

            EXPECT_TRUE(byKind == all.total()) << each.id;
            EXPECT_TRUE(all.total(MemoryKind::temporary) > 0) << each.id;
            for (const MemoryItem& item : all.items) {
                EXPECT_TRUE(item.bytes > 0) << each.id << " " << title(item.kind);
            }
        }
    }
}

// Of an encoder-decoder with its mixers and FFNs muted nothing of them is kept, nor cached.
TEST(Memory, AMutedPartTakesWhatItsAbsenceTakes)
{
    for (const Phase phase : {Phase::prefill, Phase::decode, Phase::train}) {
        for (const Checkpointing checkpointing : {Checkpointing::none, Checkpointing::full}) {
            Scenario muted = preset("t5-small", {.phase = phase, .checkpointing = checkpointing});
            Scenario absent = muted;
            for (BlockRun& run : muted.model.runs) {
                run.block.mixerMuted = run.block.ffnMuted = true;
                run.block.crossMuted = run.block.holdsCross();
            }
            for (BlockRun& run : absent.model.runs) {
                run.block.mixer = run.block.cross = NoMixer{};
                run.block.ffn = NoFfn{};
            }
            for (std::size_t i = 0; i < enumNames<MemoryKind>().size(); ++i) {
                const auto kind = static_cast<MemoryKind>(i);

                EXPECT_TRUE(memory(muted).total(kind) == memory(absent).total(kind)) << title(kind);
            }
        }
    }
}

TEST(Memory, WeightsAreThoseOfTheCostSummary)
{
    for (const Preset& each : presets()) {
        const Scenario scenario{each.make(), {.precision = {.weightBits = 4}}};

        EXPECT_TRUE(memory(scenario).total(MemoryKind::weights)
                    == summary(costTree(scenario), scenario, LensId::exact).weightBytes)
            << each.id;
    }
}

// Of GPT-2's operations at 1,024 tokens the logits are the largest: 1,024 × (768 + 50,257).
TEST(Memory, LargestTemporaryOfGpt2AreTheLogits)
{
    const Memory all = memory(preset("gpt2", {.sequence = 1024}));

    EXPECT_EQ(all.largestOperation, "head/logits");
    EXPECT_TRUE(all.total(MemoryKind::temporary) == Count{4} * 1024 * (768 + 50'257));
}

} // namespace
} // namespace flopsmith
