// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/composed.h"
#include "core/mixer/cross_attention.h"
#include "core/model/model_cost.h"
#include "core/model/operation.h"
#include "core/model/presets.h"
#include "core/model/tree_path.h"
#include "core/parameter/validation.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

Scenario training(const char* preset, Checkpointing checkpointing = Checkpointing::none)
{
    return {.model = *presetNamed(preset),
            .workload = {
                .phase = Phase::train, .batch = 2, .sequence = 96, .checkpointing = checkpointing}};
}

Scenario materialised(Scenario scenario)
{
    for (BlockRun& run : scenario.model.runs) {
        get<Attention>(run.block.mixer).algorithm = AttentionAlgorithm::materialised;
    }
    return scenario;
}

Scenario inPrefill(Scenario scenario)
{
    scenario.workload.phase = Phase::prefill;
    return scenario;
}

Cost<Count> part(const CostTree<Count>& tree, std::string_view path)
{
    const int node = nodeAt(tree, path);
    return node < 0 ? Cost<Count>{} : tree.total(node);
}

Count matmul(const Cost<Count>& cost)
{
    return priced(LensId::matmul, cost.count);
}

std::vector<Scenario> everyPreset()
{
    std::vector<Scenario> all;
    for (const Preset& preset : presets()) {
        for (const Checkpointing checkpointing :
             {Checkpointing::none, Checkpointing::selective, Checkpointing::full}) {
            all.push_back(training(std::string(preset.id).c_str(), checkpointing));
        }
    }
    return all;
}

// nanoGPT's transformer_sizing notebook: GPT-2 small, 1024 tokens, all pairs, backward = 2 × forward.
TEST(TrainingCost, OfGpt2IsThePublishedFigure)
{
    Scenario scenario = materialised(training("gpt2"));
    scenario.workload.batch = 1;
    scenario.workload.sequence = 1024;

    const CostTree<Count> tree = costTree(scenario, PairsRule::full);

    EXPECT_TRUE(matmul(part(tree, "forward")) == 291'648'307'200);
    EXPECT_TRUE(matmul(part(tree, "backward")) == 583'296'614'400);
    EXPECT_TRUE(matmul(tree.total()) == 874'944'921'600);
}

TEST(TrainingCost, FlashAttentionComputesItsScoresAgain)
{
    const CostTree<Count> written = costTree(materialised(training("gpt2")));
    const CostTree<Count> flash = costTree(training("gpt2"));

    const Count scores = 12 * matmul(part(written, "forward/blocks[0]/attention/scores"));
    EXPECT_TRUE(matmul(flash.total()) == matmul(written.total()) + scores);
    EXPECT_TRUE(matmul(part(flash, "forward")) == matmul(part(written, "forward")));
}

TEST(TrainingCost, ForwardIsThePrefillWithALossAndWithoutACache)
{
    for (Scenario scenario : everyPreset()) {
        for (BlockRun& run : scenario.model.runs) {
            if (auto* composed = get_if<ComposedFfn>(&run.block.ffn)) {
                composed->dropout = 0; // acts in training alone
            }
        }
        const CostTree<Count> tree = costTree(scenario);
        const Cost<Count> prefill = costTree(inPrefill(scenario)).total();
        const Cost<Count> forward = part(tree, "forward");
        const Cost<Count> loss = part(tree, "forward/loss");

        EXPECT_EQ(forward.count, prefill.count + loss.count) << scenario.model.name;
        EXPECT_EQ(forward.parameters, prefill.parameters) << scenario.model.name;
        EXPECT_TRUE(forward.traffic.read
                    == prefill.traffic.read + prefill.traffic.kvRead + loss.traffic.read);
        EXPECT_TRUE(tree.total().traffic.kvRead == 0 && tree.total().traffic.kvWritten == 0);
    }
}

TEST(TrainingCost, ParametersStandOnceAndPartsSumToTheWhole)
{
    for (const Scenario& scenario : everyPreset()) {
        const CostTree<Count> tree = costTree(scenario);

        EXPECT_EQ(tree.total().parameters, costTree(inPrefill(scenario)).total().parameters);
        EXPECT_EQ(tree.total(),
                  part(tree, "forward") + part(tree, "recomputed") + part(tree, "backward")
                      + part(tree, "optimizer"))
            << scenario.model.name;
    }
}

// What a measured backward pass is made of, is what the tree counts.
TEST(TrainingCost, BackwardIsTheSumOfTheMeasuredParts)
{
    for (const char* preset :
         {"gpt2", "llama-2-7b", "gpt2-half-swapped", "bert-base", "fnet-base"}) {
        const Scenario scenario = training(preset);
        OpCount<Count> parts;
        for (const MeasuredPart& each : measuredParts(scenario, ComputePass::backward)) {
            if (each.addsToTotal()) {
                parts += Count{each.uses} * costTree(each.operation).total().count;
            }
        }
        const CostTree<Count> tree = costTree(scenario);

        EXPECT_EQ(part(tree, "backward").count, parts + part(tree, "backward/loss").count)
            << preset;
    }
}

TEST(TrainingCost, FullCheckpointingRunsEveryBlockAgain)
{
    for (const Preset& preset : presets()) {
        const Scenario scenario = training(std::string(preset.id).c_str(), Checkpointing::full);
        const CostTree<Count> tree = costTree(scenario);
        OpCount<Count> blocks;
        for (int i = 0; i < tree.size(); ++i) {
            if (tree.node(i).parent == 1 && tree.node(i).name == "blocks") {
                blocks += tree.node(i).repeat * tree.total(i).count;
            }
        }

        EXPECT_EQ(part(tree, "recomputed").count, blocks) << preset.id;
    }
}

TEST(TrainingCost, SelectiveCheckpointingRunsWrittenScoresAgain)
{
    const CostTree<Count> tree = costTree(materialised(training("gpt2", Checkpointing::selective)));
    const std::string attention = "forward/blocks[0]/attention/";

    EXPECT_EQ(part(tree, "recomputed").count,
              Count{12}
                  * (part(tree, attention + "scores").count
                     + part(tree, attention + "softmax").count
                     + part(tree, attention + "weighted_sum").count));
    EXPECT_LT(nodeAt(costTree(training("gpt2", Checkpointing::selective)), "recomputed"), 0)
        << "flash attention writes no scores";
}

TEST(TrainingCost, CheckpointingKeepsLessAndChangesNothingElse)
{
    const Cost<Count> none = costTree(materialised(training("gpt2"))).total();
    const CostTree<Count> selective =
        costTree(materialised(training("gpt2", Checkpointing::selective)));
    const CostTree<Count> full = costTree(materialised(training("gpt2", Checkpointing::full)));

    EXPECT_TRUE(none.saved > selective.total().saved);
    EXPECT_TRUE(selective.total().saved > full.total().saved);
    EXPECT_EQ(none.count + part(selective, "recomputed").count, selective.total().count);
    EXPECT_EQ(none.count + part(full, "recomputed").count, full.total().count);
}

TEST(TrainingCost, EveryParameterIsUpdatedOnce)
{
    Scenario scenario = training("gpt2-shared");
    const Count parameters = costTree(scenario).total().parameters.trainable;
    const auto flops = [&](Optimizer optimizer) {
        scenario.workload.optimizer = optimizer;
        return priced(LensId::exact, part(costTree(scenario), "optimizer").count);
    };

    EXPECT_TRUE(flops(Optimizer::sgd) == 2 * parameters);
    EXPECT_TRUE(flops(Optimizer::momentum) == 4 * parameters);
    EXPECT_TRUE(flops(Optimizer::adam) == 12 * parameters);
    EXPECT_TRUE(flops(Optimizer::adamMixed) == 12 * parameters);
}

// 12 uses of one set: 11 gradients are added to the first.
TEST(TrainingCost, GradientsOfSharedParametersAreSummed)
{
    const CostTree<Count> shared = costTree(training("gpt2-shared"));
    const CostTree<Count> own = costTree(training("gpt2"));
    const Count ofOneBlock = part(own, "forward/blocks[0]").parameters.trainable;

    const Cost<Count> sums = part(shared, "backward/shared_gradients[1]");
    EXPECT_EQ(sums.count, (OpCount<Count>{.add = 11 * ofOneBlock}));
    EXPECT_EQ(part(shared, "backward").count, part(own, "backward").count + sums.count);
}

TEST(TrainingCost, ATiedTableGetsOneGradient)
{
    Scenario scenario = training("gpt2");
    const Traffic<Count> tied = part(costTree(scenario), "backward").traffic;
    scenario.model.head.tied = false;
    const Traffic<Count> own = part(costTree(scenario), "backward").traffic;

    const Count table = Count{50257} * 768;
    const Count touched = 2 * Count{2 * 96} * 768; // rows read and written again
    EXPECT_TRUE(own.gradients - tied.gradients == table - touched);
}

TEST(TrainingCost, AModelWithoutLogitsHasNoLoss)
{
    EXPECT_LT(nodeAt(costTree(training("bert-base")), "forward/loss"), 0);
    EXPECT_GE(nodeAt(costTree(training("gpt2")), "forward/loss"), 0);
}

// Two encoder blocks of 32 tokens, three decoder blocks that look at them.
Scenario encoderDecoder()
{
    Scenario scenario = training("tiny");
    Block encoder = scenario.model.runs.front().block;
    get<Attention>(encoder.mixer).causal = false;
    encoder.stack = Stack::encoder;
    Block decoder = scenario.model.runs.front().block;
    decoder.cross = CrossAttention{.heads = 2, .kvHeads = 2};
    scenario.model.runs = {{encoder, 2}, {decoder, 3}};
    scenario.model.finalNorm = scenario.model.encoderNorm = Norm::rms();
    scenario.workload.source = 32;
    return scenario;
}

TEST(TrainingOfEncoderDecoders, SumsTheGradientsOfWhatTheDecoderLooksAt)
{
    const Scenario scenario = encoderDecoder();
    const CostTree<Count> tree = costTree(scenario);
    const Count encoded = Count{2} * 32 * scenario.model.dModel;

    ASSERT_TRUE(validated(scenario).ok()) << validated(scenario).error().message;
    EXPECT_EQ(part(tree, "backward/source_gradients").count,
              (OpCount<Count>{.add = 2 * encoded})); // of three, two are added to the first
    EXPECT_EQ(part(tree, "forward").count,
              costTree(inPrefill(scenario)).total().count + part(tree, "forward/loss").count);
}

TEST(TrainingOfEncoderDecoders, WritesTheTablesGradientOnce)
{
    const CostTree<Count> tree = costTree(encoderDecoder());
    const Count rows = part(tree, "forward/decoder_embedding/tokens").count.move;

    EXPECT_TRUE(part(tree, "backward/decoder_embedding/tokens").traffic.gradients == 2 * rows);
}

TEST(TrainingOfEncoderDecoders, RunsBothHalvesAgain)
{
    Scenario scenario = encoderDecoder();
    scenario.workload.checkpointing = Checkpointing::full;
    const CostTree<Count> tree = costTree(scenario);

    EXPECT_EQ(part(tree, "recomputed").count,
              Count{2} * part(tree, "forward/blocks[0]").count
                  + Count{3} * part(tree, "forward/blocks[2]").count);
}

// Soft caps stand between scores and softmax: they are computed again, and not kept.
TEST(TrainingCost, SelectiveCheckpointingIncludesSoftCaps)
{
    Scenario scenario = materialised(training("gpt2", Checkpointing::selective));
    get<Attention>(scenario.model.runs.front().block.mixer).softCap = 50.0;
    const CostTree<Count> tree = costTree(scenario);

    EXPECT_GE(nodeAt(tree, "recomputed/blocks[0]/attention/soft_cap"), 0);
    EXPECT_TRUE(part(tree, "forward/blocks[0]/attention/soft_cap").saved == 0);
    EXPECT_TRUE(part(tree, "forward/blocks[0]/attention/scores").saved > 0);
}

TEST(TrainingWorkload, EveryPresetCanBeTrained)
{
    for (const Scenario& scenario : everyPreset()) {
        EXPECT_TRUE(validated(scenario).ok()) << scenario.model.name;
    }
}

TEST(TrainingWorkload, NeedsWeightsOf16Bits)
{
    Scenario scenario = training("gpt2");
    scenario.workload.precision.weightBits = 8;

    const Status status = validated(scenario);

    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().message, "weight_bits: 8 is not legal; legal is 16 or 32");
}

TEST(StoredBytes, CountTheScalesOfGroups)
{
    const WeightFormat plain{.bits = 4};
    const WeightFormat groups{.bits = 4, .group = 32, .groupBits = 16};
    const WeightFormat zeroPoints{.bits = 4, .group = 128, .groupBits = 20};
    const WeightFormat wide{.bits = 16, .group = 32};

    EXPECT_TRUE(storedBytes(4096, plain) == 2048);
    EXPECT_TRUE(storedBytes(4096, groups) == 4096 * 9 / 16); // 4.5 bits per weight
    EXPECT_TRUE(storedBytes(4096, zeroPoints) == 2048 + 32 * 20 / 8);
    EXPECT_TRUE(storedBytes(33, groups) == (33 * 4 + 2 * 16 + 7) / 8) << "a group begun counts";
    EXPECT_TRUE(storedBytes(4096, wide) == 8192) << "only quantised weights have groups";
}

// Each kind named alone changes the bytes of its own weights, and what all say together is the sum.
TEST(StoredBytes, AreOfEachKindOfWeights)
{
    for (const Scenario& scenario : everyPreset()) {
        const CostTree<Count> tree = costTree(scenario);
        const Precision usual = Precision::of(16);
        const Count all = weightBytes(tree, usual);
        Count reduced = 0;
        for (int Precision::*bits : {&Precision::expertBits,
                                     &Precision::embeddingBits,
                                     &Precision::headBits,
                                     &Precision::vectorBits}) {
            Precision one = usual;
            one.*bits = 8;
            reduced += all - weightBytes(tree, one);
        }
        Precision none = usual;
        none.weightBits = 8;
        none.expertBits = none.embeddingBits = none.headBits = none.vectorBits = 16;
        reduced += all - weightBytes(tree, none);
        EXPECT_EQ(reduced * 2, all) << scenario.model.name;
    }
}

} // namespace
} // namespace flopsmith
