// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/moe.h"
#include "core/io/hugging_face/import.h"
#include "core/json/json.h"
#include "core/mixer/latent_attention.h"
#include "core/model/model.h"
#include "tests/core/io/import_known.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith {
namespace {

using test::configNamed;
using test::imported;
using test::patched;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

const Attention& firstAttention(const Model& model)
{
    return get<Attention>(model.runs.front().block.mixer);
}

Rope ropeOf(const char* known, const char* patch)
{
    return firstAttention(imported(patched(configNamed(known), patch)).model).rope;
}

TEST(ImportedValues, EpsilonsAreThoseOfTheFile)
{
    const Model llama =
        imported(patched(configNamed("llama-3-8b"), R"({"rms_norm_eps": 3e-6})")).model;
    EXPECT_EQ(llama.finalNorm.epsilon, 3e-6);
    EXPECT_EQ(llama.runs[0].block.norm.epsilon, 3e-6);

    EXPECT_EQ(llama.head, (Head{.tied = false})); // it has no norm
    EXPECT_EQ(llama.encoderNorm, Norm{});

    const Model bert = imported(configNamed("bert-base-uncased")).model;
    EXPECT_EQ(bert.embedding.norm.epsilon, 1e-12);
    EXPECT_EQ(imported(configNamed("gpt2")).model.finalNorm.epsilon, 1e-5);
}

TEST(ImportedValues, EpsilonsThatAreMissingAreThoseOfTheClass)
{
    EXPECT_EQ(imported(configNamed("llama-3-8b")).model.finalNorm.epsilon, 1e-6);
    EXPECT_EQ(imported(configNamed("mixtral-8x7b-v0.1")).model.finalNorm.epsilon, 1e-5);
    EXPECT_EQ(get<LatentAttention>(
                  imported(patched(configNamed("deepseek-v3"), R"({"rms_norm_eps": 1e-5})"))
                      .model.runs[0]
                      .block.mixer)
                  .normEpsilon,
              1e-6);
}

TEST(ImportedValues, TheBaseHasThreeSpellings)
{
    EXPECT_EQ(ropeOf("llama-3-8b", "{}").base, 10'000.0);
    EXPECT_EQ(ropeOf("llama-3-8b", R"({"rope_theta": 500000.0})").base, 500'000.0);
    EXPECT_EQ(ropeOf("llama-3-8b", R"({"rope_parameters":
                     {"rope_theta": 7e5, "rope_type": "default"}})")
                  .base,
              7e5);
    EXPECT_EQ(ropeOf("pythia-160m", R"({"rotary_emb_base": 20000})").base, 20'000.0);
}

TEST(ImportedValues, AnglesAreStretchedAsTheFileSays)
{
    const Rope llama3 = ropeOf("llama-3-8b", R"({"rope_scaling": {"rope_type": "llama3",
        "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192}})");
    EXPECT_EQ(llama3.scaling, RopeScaling::llama3);
    EXPECT_EQ(llama3.factor, 8.0);
    EXPECT_EQ(llama3.trainedPositions, 8192);

    const Rope linear =
        ropeOf("llama-3-8b", R"({"rope_scaling": {"type": "linear", "factor": 2.0}})");
    EXPECT_EQ(linear.scaling, RopeScaling::linear);
    EXPECT_EQ(linear.factor, 2.0);

    const Rope yarn = ropeOf("llama-3-8b", R"({"rope_scaling": {"type": "yarn", "factor": 4.0,
        "original_max_position_embeddings": 4096}})");
    EXPECT_EQ(yarn.scaling, RopeScaling::yarn);
    EXPECT_DOUBLE_EQ(yarn.amplitude, 0.1 * std::log(4.0) + 1.0);
    EXPECT_TRUE(yarn.wholePairs);
}

// The stretching of Gemma-3 and its larger base are those of blocks without a window.
TEST(ImportedValues, BlocksWithAWindowCanHaveOtherAngles)
{
    const Model gemma = imported(patched(configNamed("gemma-3-1b-it"), R"({"rope_scaling":
        {"rope_type": "linear", "factor": 8.0}, "query_pre_attn_scalar": 168})"))
                            .model;

    for (const BlockRun& run : gemma.runs) {
        const auto& attention = get<Attention>(run.block.mixer);
        EXPECT_EQ(attention.rope.base, attention.window > 0 ? 1e4 : 1e6);
        EXPECT_EQ(attention.rope.isScaled(), attention.window == 0);
        EXPECT_DOUBLE_EQ(attention.scoreScale, 1 / std::sqrt(168.0));
    }
}

TEST(ImportedValues, DeepseeksTemperatureJoinsTheScale)
{
    const Model model = imported(patched(configNamed("deepseek-v3"), R"({"rope_scaling":
        {"type": "yarn", "factor": 40, "mscale": 1.0, "mscale_all_dim": 1.0, "beta_fast": 32,
         "beta_slow": 1, "original_max_position_embeddings": 4096}})"))
                            .model;
    const auto& attention = get<LatentAttention>(model.runs[0].block.mixer);
    const double m = 0.1 * std::log(40.0) + 1.0;

    EXPECT_DOUBLE_EQ(attention.rope.amplitude, 1.0);
    EXPECT_DOUBLE_EQ(attention.scoreScale, m * m / std::sqrt(192.0));
}

TEST(ImportedValues, GraniteNamesItsConstants)
{
    const Model model =
        imported(patched(configNamed("granite-3.1-1b-a400m-instruct"),
                         R"({"embedding_multiplier": 12.0, "attention_multiplier": 0.015625,
                             "residual_multiplier": 0.22, "logits_scaling": 8.0})"))
            .model;

    EXPECT_EQ(model.embedding.scaleFactor, 12.0);
    EXPECT_EQ(model.head.scaleFactor, 0.125);
    EXPECT_EQ(model.runs[0].block.residualFactor, 0.22);
}

// A tiny OLMo, OLMoE or MPT.
Attention limitedAttention(const std::string& keys)
{
    const ImportedConfig read = imported(std::string_view("{" + keys + "}"));
    EXPECT_THAT(read.leftOut, IsEmpty());
    return firstAttention(read.model);
}

TEST(ImportedValues, LimitsOfQueriesKeysAndValuesAreThoseOfTheFile)
{
    const std::string sizes = R"("vocab_size": 7, "hidden_size": 8, "intermediate_size": 6,
        "num_hidden_layers": 2, "num_attention_heads": 2, "clip_qkv": )";
    for (const std::string family : {"olmo", "olmoe"}) {
        const std::string start = R"("model_type": ")" + family + R"(", )" + sizes;
        EXPECT_EQ(limitedAttention(start + "8.0").qkvLimit, 8.0) << family;
        EXPECT_EQ(limitedAttention(start + "null").qkvLimit, 0.0) << family;
        EXPECT_EQ(limitedAttention(start + "false").qkvLimit, 0.0) << family;
        EXPECT_THAT(test::refusal(std::string_view("{" + start + "-8.0}")),
                    HasSubstr("clip_qkv: expected a number above 0"));
        EXPECT_THAT(test::refusal(std::string_view("{" + start + "\"8\"}")),
                    HasSubstr("clip_qkv: expected a number"));
    }
}

TEST(ImportedValues, MptHasItsLimitAndItsScaleInAttnConfig)
{
    const auto mpt = [](const std::string& attention) {
        return R"("model_type": "mpt", "vocab_size": 7, "d_model": 8, "n_heads": 2, "n_layers": 1,
            "attn_config": {)"
            + attention + "}";
    };
    EXPECT_EQ(limitedAttention(mpt(R"("clip_qkv": 6)")).qkvLimit, 6.0);
    EXPECT_EQ(limitedAttention(mpt(R"("clip_qkv": 0)")).qkvLimit, 0.0);
    EXPECT_EQ(limitedAttention(mpt(R"("clip_qkv": null)")).qkvLimit, 0.0);
    EXPECT_EQ(limitedAttention(mpt(R"("softmax_scale": 0.25)")).scoreScale, 0.25);
    EXPECT_THAT(test::refusal(std::string_view("{" + mpt(R"("clip_qkv": -6)") + "}")),
                HasSubstr("attn_config: clip_qkv: expected a number above 0"));
    EXPECT_THAT(imported(std::string_view("{" + mpt(R"("alibi_bias_max": 4)") + "}")).leftOut,
                Contains(HasSubstr("alibi_bias_max")));
}

TEST(ImportedValues, GptOssLimitsItsGates)
{
    const auto gateOf = [](const char* patch) {
        const Model model = imported(patched(configNamed("gpt-oss-20b"), patch)).model;
        return get<MoeFfn>(model.runs.front().block.ffn).gate;
    };
    EXPECT_EQ(gateOf("{}"), (GateValues{.limit = 7.0, .siluSlope = 1.702, .upOffset = 1.0}));
    EXPECT_EQ(gateOf(R"({"swiglu_limit": 5.5, "swiglu_alpha": 2})"),
              (GateValues{.limit = 5.5, .siluSlope = 2.0, .upOffset = 1.0}));
    EXPECT_THAT(test::refusal(patched(configNamed("gpt-oss-20b"), R"({"swiglu_limit": -7})")),
                HasSubstr("swiglu_limit: expected a number above 0"));
}

TEST(ImportedValues, WhatIsLeftOutIsTold)
{
    const auto longrope = imported(patched(
        configNamed("llama-3-8b"),
        R"({"rope_scaling": {"type": "longrope", "short_factor": [1], "long_factor": [2]}})"));
    EXPECT_THAT(longrope.leftOut, Contains(HasSubstr("rope_scaling: changes angles")));
    EXPECT_FALSE(firstAttention(longrope.model).rope.isScaled());

    const auto dynamic = imported(patched(
        configNamed("llama-3-8b"), R"({"rope_scaling": {"type": "dynamic", "factor": 2.0}})"));
    EXPECT_THAT(dynamic.notes, Contains(HasSubstr("dynamic changes angles of texts beyond")));
    EXPECT_THAT(dynamic.leftOut, IsEmpty());

    EXPECT_THAT(
        imported(patched(configNamed("gpt2"), R"({"scale_attn_by_inverse_layer_idx": true})"))
            .leftOut,
        Contains(HasSubstr("scale_attn_by_inverse_layer_idx")));
}

// Its class takes the key and never passes it on.
TEST(ImportedValues, ScoresOfGemma3AreNotLimited)
{
    const ImportedConfig gemma3 =
        imported(patched(configNamed("gemma-3-1b-it"), R"({"attn_logit_softcapping": 3.0})"));
    EXPECT_EQ(firstAttention(gemma3.model).softCap, 0.0);
    EXPECT_THAT(gemma3.notes,
                Contains("attn_logit_softcapping: the library's Gemma-3 limits no scores"));

    const ImportedConfig gemma2 = imported(configNamed("gemma-2-9b"));
    EXPECT_EQ(firstAttention(gemma2.model).softCap, 50.0);
}

TEST(ImportedValues, NumbersThatNoModelHasAreRefused)
{
    const auto refusal = [](const char* patch) {
        const auto read = importedConfig(patched(configNamed("llama-3-8b"), patch), "config.json");
        return read.ok() ? "" : read.error().message;
    };
    EXPECT_THAT(refusal(R"({"rms_norm_eps": -1})"),
                HasSubstr("config.json: rms_norm_eps: expected a number above 0"));
    EXPECT_THAT(refusal(R"({"rms_norm_eps": "small"})"),
                HasSubstr("rms_norm_eps: expected a number"));
    EXPECT_THAT(refusal(R"({"rope_theta": 0})"), HasSubstr("rope_theta: the base"));
}

} // namespace
} // namespace flopsmith
