// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/gated.h"
#include "core/json/json_text.h"
#include "core/mixer/attention.h"
#include "core/model/model_cost.h"
#include "tests/core/io/import_known.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using test::configNamed;
using test::imported;
using test::modelOf;
using test::parameters;
using test::patched;
using test::refusal;
using testing::Contains;
using testing::HasSubstr;

std::string parametersOf(std::string_view known, std::string_view patch)
{
    return parameters(jsonText(patched(configNamed(known), patch)));
}

TEST(ImportedEncoders, HaveTheHeadThatTheirClassNames)
{
    EXPECT_EQ(parametersOf("bert-base-uncased", R"({"architectures": ["BertForMaskedLM"]})"),
              "109514298");
    const Head head = modelOf("bert-base-uncased",
                              R"({"architectures": ["BertForSequenceClassification"],
                                  "id2label": {"0": "a", "1": "b", "2": "c"}})")
                          .head;
    EXPECT_EQ(head.kind, HeadKind::classifier);
    EXPECT_EQ(head.classes, 3);
    EXPECT_TRUE(head.pooled);
}

// All of ALBERT's files name the class with the head for masked words; its figures are published for
// the encoder with its pooler.
TEST(ImportedEncoders, AlbertsPublishedTotalIsThatOfItsPooler)
{
    ImportedConfig albert = imported(
        patched(configNamed("albert-base-v1"), R"({"architectures": ["AlbertForMaskedLM"]})"));
    const auto parameters = [&albert] {
        return digits(costTree({albert.model, {}}).total().parameters.trainable);
    };

    EXPECT_EQ(parameters(), "11221680");
    EXPECT_THAT(albert.notes, Contains(HasSubstr("head = pooler")));
    albert.model.head.kind = HeadKind::pooler;
    EXPECT_EQ(parameters(), "11683584");
}

TEST(ImportedEncoders, BertIsRefusedAsADecoderAndWithOtherPositions)
{
    for (const char* patch : {R"({"is_decoder": true})",
                              R"({"add_cross_attention": true})",
                              R"({"position_embedding_type": "relative_key"})",
                              R"({"pruned_heads": {"0": [1]}})",
                              R"({"architectures": ["BertForPreTraining"]})"}) {
        const std::string key = ownJson(patch).items().front().key();
        EXPECT_THAT(refusal(patched(configNamed("bert-base-uncased"), patch)), HasSubstr(key));
    }
}

TEST(ImportedEncoders, AlbertSharesItsBlocks)
{
    const Model one = imported(configNamed("albert-base-v1")).model;
    const Model three = modelOf("albert-base-v1", R"({"num_hidden_groups": 3})");

    ASSERT_EQ(one.runs.size(), 1U);
    EXPECT_EQ(one.runs[0].block.shareGroup, 1);
    ASSERT_EQ(three.runs.size(), 3U);
    EXPECT_EQ(three.runs[1].repeat, 4);
    EXPECT_EQ(three.runs[2].block.shareGroup, 3);
    EXPECT_THAT(refusal(patched(configNamed("albert-base-v1"), R"({"inner_group_num": 2})")),
                HasSubstr("inner_group_num"));
    EXPECT_THAT(refusal(patched(configNamed("albert-base-v1"), R"({"num_hidden_groups": 13})")),
                HasSubstr("num_hidden_groups"));
}

TEST(ImportedEncoders, ImagesAreCutIntoPatches)
{
    const Model model = modelOf("vit-base-patch16-224", R"({"image_size": 384})");

    EXPECT_EQ(model.embedding.imageTokens(), 577);
    EXPECT_FALSE(model.head.pooled);
    EXPECT_THAT(imported(configNamed("vit-base-patch16-224")).notes,
                Contains(HasSubstr("num_labels = 2")));
    EXPECT_EQ(modelOf("vit-base-patch16-224", R"({"architectures": ["ViTModel"]})").head.kind,
              HeadKind::pooler);
    EXPECT_EQ(modelOf("vit-base-patch16-224", R"({"num_labels": 10})").head.classes, 10);
    EXPECT_THAT(
        refusal(patched(configNamed("vit-base-patch16-224"), R"({"id2label": ["a", "b"]})")),
        HasSubstr("id2label"));
}

TEST(ImportedEncoders, DeitHasADistillationToken)
{
    const Json deit = patched(configNamed("vit-base-patch16-224"),
                              R"({"model_type": "deit", "num_labels": 1000,
                                  "architectures": ["DeiTForImageClassificationWithTeacher"]})");

    EXPECT_EQ(parameters(jsonText(deit)), "87338192");
    EXPECT_EQ(imported(deit).model.embedding.imageTokens(), 198);
    EXPECT_THAT(imported(deit).notes, Contains(HasSubstr("two classifiers")));
}

TEST(ImportedEncoders, T5IsTwoStacksThatNeedNotBeEqual)
{
    const auto halves = [](const Model& model) {
        std::pair<int, int> counts;
        for (const BlockRun& run : model.runs) {
            (run.block.isEncoder() ? counts.first : counts.second) += run.repeat;
        }
        return counts;
    };

    EXPECT_EQ(halves(modelOf("t5-small", R"({"num_decoder_layers": null})")), std::pair(6, 6));
    EXPECT_EQ(halves(modelOf("t5-small", R"({"num_decoder_layers": 2})")), std::pair(6, 2));
    EXPECT_EQ(halves(modelOf("t5-small", R"({"num_layers": 1})")), std::pair(1, 6));
}

TEST(ImportedEncoders, TheFirstBlockOfAStackOwnsThePositionBias)
{
    const Model model = imported(configNamed("t5-small")).model;
    const auto bias = [&model](int block) {
        const auto run = static_cast<std::size_t>(model.runOf(block));
        return get<Attention>(model.runs[run].block.mixer).positionBias;
    };

    EXPECT_EQ(bias(0), PositionBias::relative);
    EXPECT_EQ(bias(1), PositionBias::sharedRelative);
    EXPECT_EQ(bias(5), PositionBias::sharedRelative);
    EXPECT_EQ(bias(6), PositionBias::relative);
    EXPECT_EQ(bias(11), PositionBias::sharedRelative);
}

TEST(ImportedEncoders, T5MayHaveGatedFfnsAndAHeadOfItsOwn)
{
    const Model model =
        modelOf("t5-small", R"({"feed_forward_proj": "gated-gelu", "tie_word_embeddings": false})");
    const auto& ffn = get<GatedFfn>(model.runs[0].block.ffn);

    EXPECT_EQ(ffn.activation, Activation::geluTanh);
    EXPECT_FALSE(model.head.tied || model.head.scale);
    EXPECT_THAT(refusal(patched(configNamed("t5-small"), R"({"feed_forward_proj": "gated-x"})")),
                HasSubstr("gated-x"));
    EXPECT_THAT(refusal(patched(configNamed("t5-small"), R"({"is_gated_act": true})")),
                HasSubstr("is_gated_act"));
}

TEST(ImportedEncoders, T5sEncoderMayStandAlone)
{
    const Model model = modelOf("t5-small", R"({"architectures": ["T5EncoderModel"]})");

    EXPECT_FALSE(model.hasEncoder());
    EXPECT_EQ(model.layers(), 6);
    EXPECT_FALSE(get<Attention>(model.runs[0].block.mixer).causal);
    EXPECT_EQ(parametersOf("t5-small", R"({"architectures": ["T5EncoderModel"]})"), "35330816");
}

TEST(ImportedEncoders, SwitchRoutesTheSecondBlockOfEachGroup)
{
    const auto routed = [](const Model& model) {
        std::string row;
        for (const BlockRun& run : model.runs) {
            const bool moe = holds_alternative<MoeFfn>(run.block.ffn);
            row += std::string(static_cast<std::size_t>(run.repeat), moe ? '1' : '0');
        }
        return row;
    };

    EXPECT_EQ(routed(imported(configNamed("switch-base-8")).model), "010101010101010101010101");
    EXPECT_EQ(
        routed(modelOf("switch-base-8",
                       R"({"num_sparse_encoder_layers": 3, "num_sparse_decoder_layers": 0})")),
        "010001000100010000000000");
    EXPECT_EQ(routed(modelOf("switch-base-8", R"({"num_sparse_encoder_layers": 12})")),
              "111111111111010101010101");
    EXPECT_THAT(imported(patched(configNamed("switch-base-8"), R"({"expert_capacity": 64})")).notes,
                Contains(HasSubstr("expert_capacity")));
}

} // namespace
} // namespace flopsmith
