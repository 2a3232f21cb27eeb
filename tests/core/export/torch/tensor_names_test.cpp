// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/torch/tensors/tensor_names.h"

#include "core/ffn/ffn_variants.h"
#include "core/mixer/fourier.h"
#include "core/mixer/latent_attention.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "tests/support/embedding_cases.h"
#include "tests/support/ffn_cases.h"
#include "tests/support/mixer_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace flopsmith::torch {
namespace {

using testing::ElementsAre;

constexpr int kWidth = 24;

// "c_fc.weight T [16, 8]": name, whether it is transposed, shape.
std::vector<std::string> textsOf(const TorchTensors& stored)
{
    std::vector<std::string> texts;
    const auto shapeText = [](const std::vector<std::int64_t>& shape) {
        std::string text;
        for (const std::int64_t size : shape) {
            text += (text.empty() ? "[" : ", ") + std::to_string(size);
        }
        return text + "]";
    };
    for (const TorchTensor& tensor : stored.tensors) {
        texts.push_back(tensor.name + (tensor.transposed ? " T " : " ") + shapeText(tensor.shape));
    }
    for (const TorchBuffer& buffer : stored.buffers) {
        texts.push_back(buffer.name + " list " + shapeText(buffer.shape));
    }
    return texts;
}

std::int64_t product(const std::vector<std::int64_t>& sizes)
{
    std::int64_t product = 1;
    for (const std::int64_t size : sizes) {
        product *= size;
    }
    return product;
}

// Every tensor once, with as many elements, under a name of its own.
void expectComplete(const TorchTensors& stored, const WeightShapes& shapes, const std::string& what)
{
    std::set<std::string> names;
    std::set<std::size_t> indices;
    for (const TorchTensor& tensor : stored.tensors) {
        ASSERT_LT(tensor.index, shapes.size()) << what;
        const WeightShape& shape = shapes[tensor.index];
        EXPECT_TRUE(names.insert(tensor.name).second) << what << tensor.name;
        EXPECT_TRUE(indices.insert(tensor.index).second) << what << tensor.name;
        EXPECT_EQ(product(tensor.shape), shape.size()) << what << tensor.name;
        EXPECT_TRUE(!tensor.transposed || tensor.shape.front() == shape.columns)
            << what << tensor.name;
    }
    EXPECT_EQ(indices.size(), shapes.size()) << what;
    for (const TorchBuffer& buffer : stored.buffers) {
        EXPECT_TRUE(names.insert(buffer.name).second) << what << buffer.name;
        EXPECT_EQ(product(buffer.shape), static_cast<std::int64_t>(buffer.values.size()))
            << what << buffer.name;
    }
}

TEST(TensorNames, StoresEveryTensorOfEveryFfnOnce)
{
    for (const int width : {kWidth, 29}) {
        for (const FfnSpec& ffn : test::ffnCases(width, 3)) {
            expectComplete(torchTensors(ffn, width), weights(ffn, width), test::describeFfn(ffn));
        }
    }
}

TEST(TensorNames, StoresEveryTensorOfEveryMixerOnce)
{
    for (const MixerSpec& mixer : test::mixerCases(kWidth, 3)) {
        const auto* attention = get_if<Attention>(&mixer);
        TorchTensors stored = torchTensors(mixer, kWidth);
        if (attention != nullptr && attention->positionBias == PositionBias::sharedRelative) {
            const std::size_t table = AttentionTensors(*attention).relativeBias;
            const std::int64_t rows = attention->relativeBuckets;
            stored.tensors.push_back({"shared", table, false, {rows, attention->heads}});
        }
        expectComplete(stored, weights(mixer, kWidth), test::describe(mixer));
    }
}

TEST(TensorNames, StoresEveryTensorOfEmbeddingsOnce)
{
    Random random(1);
    for (Embedding embedding : test::generatedCases(Embedding{}, {kWidth}, 4, random)) {
        embedding.norm = Norm{};
        expectComplete(
            torchTensors(embedding, kWidth), weights(embedding, kWidth), test::describe(embedding));
    }
}

TEST(TensorNames, AreThoseOfPlainFfns)
{
    EXPECT_THAT(textsOf(torchTensors(FfnSpec(DenseFfn{.dFf = 16}), 8)),
                ElementsAre("c_fc.weight T [16, 8]",
                            "c_fc.bias [16]",
                            "c_proj.weight T [8, 16]",
                            "c_proj.bias [8]"));
    EXPECT_THAT(
        textsOf(torchTensors(FfnSpec(GatedFfn{.dFf = 16}), 8)),
        ElementsAre("gate.weight T [16, 8]", "up.weight T [16, 8]", "down.weight T [8, 16]"));
    EXPECT_THAT(textsOf(torchTensors(FfnSpec(LowRankFfn{.dFf = 16, .rank = 3}), 8)),
                ElementsAre("c_fc.u.weight T [3, 8]",
                            "c_fc.v.weight T [16, 3]",
                            "c_fc.v.bias [16]",
                            "c_proj.u.weight T [3, 16]",
                            "c_proj.v.weight T [8, 3]",
                            "c_proj.v.bias [8]"));
}

TEST(TensorNames, AreThoseOfExperts)
{
    const MoeFfn moe{.experts = 2,
                     .expert = ExpertKind::dense,
                     .dFf = 3,
                     .routerBias = true,
                     .correctionBias = true,
                     .sharedExperts = 2,
                     .sharedDFf = 5,
                     .sharedGate = true};

    EXPECT_THAT(textsOf(torchTensors(FfnSpec(moe), 8)),
                ElementsAre("router.weight T [2, 8]",
                            "router.bias [2]",
                            "correction_bias [2]",
                            "experts.0.c_fc.weight T [3, 8]",
                            "experts.0.c_proj.weight T [8, 3]",
                            "experts.1.c_fc.weight T [3, 8]",
                            "experts.1.c_proj.weight T [8, 3]",
                            "shared.c_fc.weight T [10, 8]",
                            "shared.c_proj.weight T [8, 10]",
                            "shared_gate.weight T [1, 8]"));
}

TEST(TensorNames, AreThoseOfChosenChannelsAndBins)
{
    using Selection = ChannelSelection;
    EXPECT_THAT(textsOf(torchTensors(
                    FfnSpec(SpectralFfn{.kFreq = 3, .selection = BinSelection::learned}), 8)),
                ElementsAre("filter [3, 2]", "bins list [3]"));
    EXPECT_THAT(textsOf(torchTensors(FfnSpec(SpectralFfn{.kFreq = 1}), 8)),
                ElementsAre("filter [1, 2]"));
    EXPECT_THAT(textsOf(torchTensors(FfnSpec(PolynomialFfn{}), 8)),
                ElementsAre("alpha [1, 4]", "channels list [4]"));
    EXPECT_THAT(textsOf(torchTensors(
                    FfnSpec(MicroRefineFfn{.steps = 2, .selection = Selection::fixed}), 8)),
                ElementsAre("beta [8]", "gamma [8]", "delta [8]", "channels list [2]"));
    EXPECT_THAT(
        textsOf(torchTensors(FfnSpec(RandomProjectionFfn{.features = 10, .density = 0.5}), 8)),
        ElementsAre("gain [10]", "bias [10]", "inward list [10, 4]", "outward list [8, 5]"));
}

TEST(TensorNames, AreThoseOfStepsAndFactors)
{
    const TokenFeedbackFfn feedback{.steps = 2, .rank = 3};
    EXPECT_THAT(textsOf(torchTensors(FfnSpec(feedback), 8)),
                ElementsAre("steps.0.down.weight T [3, 4]",
                            "steps.0.down.bias [3]",
                            "steps.0.up.weight T [4, 3]",
                            "steps.0.gate.scale [8]",
                            "steps.0.gate.shift [8]"));
    KroneckerFfn kronecker{.dFf = 16, .d1 = 2, .f1 = 4, .rank = 2};
    EXPECT_THAT(textsOf(torchTensors(FfnSpec(kronecker), 8)),
                ElementsAre("c_fc.a [2, 2, 4]",
                            "c_fc.b [2, 4, 4]",
                            "c_fc.bias [16]",
                            "c_proj.a [2, 4, 2]",
                            "c_proj.b [2, 4, 4]",
                            "c_proj.bias [8]"));
    kronecker.keepRatio = 0.5;
    kronecker.bias = false;
    EXPECT_THAT(textsOf(torchTensors(FfnSpec(kronecker), 8)),
                ElementsAre("c_fc.a [4, 2]",
                            "c_fc.b [8, 2]",
                            "c_proj.a [8, 1]",
                            "c_proj.b [8, 2]",
                            "c_fc.a_columns list [4, 2]",
                            "c_fc.b_columns list [8, 2]",
                            "c_proj.a_columns list [8, 1]",
                            "c_proj.b_columns list [8, 2]"));
}

TEST(TensorNames, ShowTheBlocksOfAFactorOneBelowTheOther)
{
    EXPECT_THAT(textsOf(torchTensors(FfnSpec(MonarchFfn{.dFf = 16, .blocks = 4}), 8)),
                ElementsAre("c_fc.first.weight T [8, 2]",
                            "c_fc.second.weight T [16, 2]",
                            "c_fc.bias [16]",
                            "c_proj.first.weight T [8, 4]",
                            "c_proj.second.weight T [8, 2]",
                            "c_proj.bias [8]"));
}

TEST(TensorNames, NestStagesOfCompositions)
{
    const ComposedFfn inner{.gate = GateKind::channel, .stages = {{PolynomialFfn{}}}};
    const ComposedFfn outer{.stages = {{GatedFfn{.dFf = 16}}, {inner}}};

    EXPECT_THAT(textsOf(torchTensors(FfnSpec(outer), 8)),
                ElementsAre("gates [2, 1]",
                            "stages.0.gate.weight T [16, 8]",
                            "stages.0.up.weight T [16, 8]",
                            "stages.0.down.weight T [8, 16]",
                            "stages.1.gates [1, 8]",
                            "stages.1.stages.0.alpha [1, 4]",
                            "stages.1.stages.0.channels list [4]"));
}

TEST(TensorNames, AreThoseOfMixers)
{
    Attention attention{.heads = 2, .kvHeads = 1, .qkvBias = true, .outBias = false};
    attention.qkNorm = QkNorm::perHead;
    attention.sinks = true;
    attention.positionBias = PositionBias::relative;
    EXPECT_THAT(textsOf(torchTensors(MixerSpec(attention), 8)),
                ElementsAre("qkv.weight T [16, 8]",
                            "qkv.bias [16]",
                            "q_norm.weight [4]",
                            "k_norm.weight [4]",
                            "sinks [2]",
                            "relative_bias.weight [32, 2]",
                            "out.weight T [8, 8]"));
    const LatentAttention latent{
        .heads = 2, .qLoraRank = 3, .kvLoraRank = 5, .qkNopeDim = 4, .qkRopeDim = 2, .vHeadDim = 4};
    EXPECT_THAT(textsOf(torchTensors(MixerSpec(latent), 8)),
                ElementsAre("q_a.weight T [3, 8]",
                            "q_norm.weight [3]",
                            "q_b.weight T [12, 3]",
                            "kv_a.weight T [7, 8]",
                            "kv_norm.weight [5]",
                            "k_b.weight T [8, 5]",
                            "v_b.weight T [8, 5]",
                            "out.weight T [8, 8]"));
    EXPECT_THAT(textsOf(torchTensors(MixerSpec(FourierMixer{}), 8)), ElementsAre());
}

TEST(TensorNames, AreThoseOfEmbeddings)
{
    Embedding albert{.vocab = 10, .positionRows = 6, .tokenTypes = 2, .norm = Norm{}};
    albert.width = 4;
    albert.projection = Projection::biased;
    albert.positionsBeforeProjection = true;
    EXPECT_THAT(textsOf(torchTensors(albert, 8)),
                ElementsAre("tokens.weight [10, 4]",
                            "positions.weight [6, 4]",
                            "token_types.weight [2, 4]",
                            "norm.weight [4]",
                            "norm.bias [4]",
                            "projection.weight T [8, 4]",
                            "projection.bias [8]"));
    Embedding vit{.input = InputKind::patches};
    vit.imageSize = 4;
    vit.patchSize = 2;
    EXPECT_THAT(textsOf(torchTensors(vit, 8)),
                ElementsAre("patches.weight T [8, 3, 2, 2]",
                            "patches.bias [8]",
                            "extra_tokens [1, 8]",
                            "positions [5, 8]"));
}

TEST(TensorNames, StoreATiedHeadWithTheEmbedding)
{
    Head head{.bias = true, .transform = true};
    EXPECT_THAT(textsOf(torchTensors(head, 8, TokenTable(10, 4))),
                ElementsAre("transform.weight T [4, 8]",
                            "transform.bias [4]",
                            "norm.weight [4]",
                            "norm.bias [4]",
                            "logits.bias [10]"));
    head = {.tied = false};
    EXPECT_THAT(textsOf(torchTensors(head, 8, TokenTable(10))),
                ElementsAre("logits.weight [10, 8]"));
    head = {.kind = HeadKind::classifier, .bias = true, .classes = 3, .pooled = true};
    EXPECT_THAT(textsOf(torchTensors(head, 8, TokenTable(10))),
                ElementsAre("dense.weight T [8, 8]",
                            "dense.bias [8]",
                            "classes.weight T [3, 8]",
                            "classes.bias [3]"));
}

std::vector<std::string> pathsOf(const Model& model)
{
    std::vector<std::string> paths;
    for (const TorchPart& part : torchParts(model)) {
        paths.push_back(part.path);
    }
    return paths;
}

TEST(TensorNames, FollowTheOrderOfExecution)
{
    Model model = presetNamed("tiny").value();
    model.runs.front().block.ffnMuted = true;
    EXPECT_THAT(pathsOf(model),
                ElementsAre("embedding",
                            "blocks[0]/mixer_norm",
                            "blocks[0]/attention",
                            "blocks[1]/mixer_norm",
                            "blocks[1]/attention",
                            "final_norm"));
    EXPECT_EQ(torchParts(model).at(4).prefix, "blocks.1.attention.");
}

TEST(TensorNames, StoreSharedBlocksOnce)
{
    Model model = presetNamed("albert-base").value();
    model.head.unreadPooler = true;
    model.head.kind = HeadKind::lm;
    model.head.transform = true;

    EXPECT_THAT(pathsOf(model),
                ElementsAre("embedding",
                            "blocks[0]/attention",
                            "blocks[0]/mixer_norm",
                            "blocks[0]/ffn",
                            "blocks[0]/ffn_norm",
                            "head",
                            "pooler"));
}

TEST(TensorNames, TellWhatIsTied)
{
    const auto tied = tiedTensors(presetNamed("t5-small").value());

    ASSERT_EQ(tied.size(), 11U); // five blocks of each half, and the head
    EXPECT_EQ(tied.front().first, "blocks.1.attention.relative_bias.weight");
    EXPECT_EQ(tied.front().second, "blocks.0.attention.relative_bias.weight");
    EXPECT_EQ(tied.at(5).second, "blocks.6.attention.relative_bias.weight");
    EXPECT_EQ(tied.back().first, "head.logits.weight");
    EXPECT_EQ(tied.back().second, "embedding.tokens.weight");
    EXPECT_TRUE(tiedTensors(presetNamed("llama-3-8b").value()).empty());
}

TEST(TensorNames, StoreAsManyTrainableNumbersAsTheModelCounts)
{
    for (const char* preset : {"gpt2", "llama-3-8b", "t5-small", "vit-base-patch16-224"}) {
        const Model model = presetNamed(preset).value();
        std::int64_t sum = 0;
        for (const TorchPart& part : torchParts(model)) {
            for (const TorchTensor& tensor : part.stored.tensors) {
                sum += product(tensor.shape);
            }
        }
        EXPECT_EQ(Count{sum}, costTree({model, {}}).total().parameters.trainable) << preset;
    }
}

} // namespace
} // namespace flopsmith::torch
