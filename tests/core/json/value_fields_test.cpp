// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/value_fields.h"

#include "core/json/json_text.h"
#include "core/json/spec_json.h"
#include "core/model/presets.h"
#include "tests/support/drawn_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using testing::HasSubstr;

std::string refusedModel(const std::string& text)
{
    const auto read = modelFromJson(*parsedJson(text, "test"), "model");
    return read.ok() ? "" : read.error().message;
}

std::string ofMixer(const std::string& values)
{
    return refusedModel(R"({"d_model": 8, "blocks": [{"mixer": {"kind": "attention", )" + values
                        + "}}]}");
}

std::string ofFfn(const std::string& ffn)
{
    return refusedModel(R"({"d_model": 8, "blocks": [{"ffn": )" + ffn + "}]}");
}

TEST(ValueFields, EveryModelReadsBackAsItWas)
{
    std::uint64_t seed = 11;
    for (const Preset& preset : presets()) {
        const Model model = test::DrawnValues(seed++).of(preset.make());

        const auto read = modelFromJson(*parsedJson(jsonText(toJson(model)), "test"), "model");

        ASSERT_TRUE(read.ok()) << read.error().message;
        EXPECT_EQ(*read, model) << preset.id;
    }
}

TEST(ValueFields, AreWrittenOnlyIfTheyAreNotTheDefault)
{
    Model model = *presetNamed("llama-2-7b");
    for (const char* key :
         {"norm_epsilon", "rope_", "score_scale", "factor", "limit", "slope", "offset"}) {
        EXPECT_THAT(jsonText(toJson(model)), testing::Not(HasSubstr(key)));
    }

    model.finalNorm.epsilon = 1e-6;
    get<Attention>(model.runs[0].block.mixer).rope.base = 500'000.0;
    const Json json = toJson(model);

    EXPECT_EQ(json["final_norm"]["norm_epsilon"], 1e-6);
    EXPECT_EQ(json["blocks"][0]["mixer"]["rope_base"], 500'000.0);
    EXPECT_FALSE(json["blocks"][0].contains("norm_epsilon"));
    EXPECT_FALSE(json["blocks"][0]["mixer"].contains("rope_scaling"));
}

TEST(ValueFields, RefuseWhatNoModelCanHave)
{
    EXPECT_THAT(refusedModel(R"({"d_model": 8, "final_norm": {"norm_epsilon": -1}, "blocks": []})"),
                HasSubstr("model.final_norm.norm_epsilon: -1 is not legal"));
    EXPECT_THAT(ofMixer(R"("rope_base": 1)"),
                HasSubstr("model.blocks[0].mixer.rope_base: 1 is not legal"));
    EXPECT_THAT(ofMixer(R"("rope_factor": 0.5)"), HasSubstr("rope_factor: 0.5 is not legal"));
    EXPECT_THAT(ofMixer(R"("rope_high_frequency": 1)"),
                HasSubstr("rope_high_frequency: 1 is not legal"));
    EXPECT_THAT(ofMixer(R"("rope_scaling": "magic")"),
                HasSubstr("rope_scaling: \"magic\" is unknown; known are"));
    EXPECT_THAT(ofMixer(R"("rope_base": "10000")"), HasSubstr("expected a number"));
    EXPECT_THAT(ofMixer(R"("qkv_limit": -8)"),
                HasSubstr("model.blocks[0].mixer.qkv_limit: -8 is not legal"));
    EXPECT_THAT(ofMixer(R"("qkv_limit": 1e300)"), HasSubstr("qkv_limit: 1e+300 is not legal"));
    EXPECT_EQ(ofMixer(R"("rope_base": 500000, "score_scale": 1, "qkv_limit": 8)"), "");
}

TEST(ValueFields, RefuseWhatNoGateCanHave)
{
    EXPECT_THAT(ofFfn(R"({"kind": "gated", "gate_limit": -7})"),
                HasSubstr("model.blocks[0].ffn.gate_limit: -7 is not legal"));
    EXPECT_THAT(ofFfn(R"({"kind": "moe", "silu_slope": 0})"),
                HasSubstr("model.blocks[0].ffn.silu_slope: 0 is not legal"));
    EXPECT_THAT(ofFfn(R"({"kind": "composed", "stages": [{"kind": "gated", "up_offset": -1}]})"),
                HasSubstr("model.blocks[0].ffn.stages[0].up_offset: -1 is not legal"));
    EXPECT_THAT(ofFfn(R"({"kind": "dense", "gate_limit": 7})"),
                HasSubstr("gate_limit: no such key here"));
    EXPECT_EQ(ofFfn(R"({"kind": "gated", "gate_limit": 7, "silu_slope": 1.702, "up_offset": 1})"),
              "");
}

TEST(ValueFields, StagesReadTheirGatesBack)
{
    ComposedFfn composed;
    composed.stages = {{GatedFfn{.gate = {.limit = 7.0, .siluSlope = 1.702, .upOffset = 1.0}}},
                       {MoeFfn{.gate = {.limit = 3.0}}}};

    const auto read = ffnFromJson(toJson(FfnSpec(composed)), "ffn");

    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(*read, FfnSpec(composed));
}

TEST(ValueFields, AResidualReadsItsFactorBack)
{
    const Operation operation{.what = ResidualOperation{{.scale = true, .factor = 0.22}},
                              .dModel = 8,
                              .batch = 1,
                              .sequence = 2,
                              .context = 2};

    const auto read = operationFromJson(toJson(operation), "operation");

    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(*read, operation);
}

} // namespace
} // namespace flopsmith
