// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/torch/model_source.h"
#include "core/model/presets.h"
#include "tests/core/export/torch/python_check.h"
#include "tests/support/drawn_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith::torch {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string sourceWithValues(const Model& model)
{
    const Result<std::string> source = modelSource({model, {}});
    EXPECT_TRUE(source.ok()) << (source.ok() ? "" : source.error().message);
    return source.ok() ? *source : std::string{};
}

TEST(ValuesSource, IsPythonWhateverTheValues)
{
    if (!test::hasPython()) {
        GTEST_SKIP() << "there is no python3";
    }
    std::vector<std::string> texts;
    for (const Preset& preset : presets()) {
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            texts.push_back(sourceWithValues(test::DrawnValues(seed).of(preset.make())));
        }
    }

    EXPECT_TRUE(test::compilesInPython(texts));
}

TEST(ValuesSource, NamesNothingThatIsUsual)
{
    const std::string source = sourceWithValues(*presetNamed("llama-2-7b"));

    EXPECT_THAT(source, HasSubstr("eps=1e-05"));
    EXPECT_THAT(source, HasSubstr("rotate(q, self.rotary_dim)"));
    EXPECT_THAT(source, Not(HasSubstr("frequencies")));
    EXPECT_THAT(source, Not(HasSubstr("score_scale")));
    EXPECT_THAT(source, Not(HasSubstr("clamp")));
    EXPECT_THAT(source, HasSubstr("h = F.silu(self.gate(x)) * self.up(x)"));
}

TEST(ValuesSource, NamesLimits)
{
    Model model = *presetNamed("llama-3-8b");
    Block& block = model.runs[0].block;
    get<Attention>(block.mixer).qkvLimit = 8.0;
    get<GatedFfn>(block.ffn).gate = {.limit = 7.0, .siluSlope = 1.702, .upOffset = 1.0};
    const std::string source = sourceWithValues(model);

    EXPECT_THAT(source, HasSubstr("qkv_limit=8"));
    EXPECT_THAT(source, HasSubstr("part.clamp(-self.qkv_limit, self.qkv_limit)"));
    EXPECT_THAT(source, HasSubstr("gate_limit=7"));
    EXPECT_THAT(source, HasSubstr("gate * torch.sigmoid(self.silu_slope * gate) * up"));
    EXPECT_THAT(source, Not(HasSubstr("up_offset"))); // there is no bias that it could be part of
}

TEST(ValuesSource, ExpertsGetTheirGates)
{
    Model model = *presetNamed("mixtral-8x7b");
    auto& experts = get<MoeFfn>(model.runs[0].block.ffn);
    experts.bias = true;
    experts.gate = {.limit = 7.0, .upOffset = 1.0};
    const std::string source = sourceWithValues(model);

    EXPECT_THAT(source, HasSubstr("(d, d_ff, **gate)"));
    EXPECT_THAT(source, HasSubstr("up_offset=1"));
    EXPECT_THAT(source, HasSubstr("h = F.silu(gate) * up"));
    EXPECT_THAT(source, Not(HasSubstr("silu_slope")));
}

TEST(ValuesSource, NamesEpsilonAnglesAndScale)
{
    Model model = *presetNamed("llama-3-8b");
    model.runs[0].block.norm.epsilon = 1e-6;
    auto& attention = get<Attention>(model.runs[0].block.mixer);
    attention.rope = {
        .base = 500'000.0, .scaling = RopeScaling::llama3, .factor = 8.0, .trainedPositions = 8192};
    attention.scoreScale = 0.125;
    const std::string source = sourceWithValues(model);

    EXPECT_THAT(source, HasSubstr("eps=1e-06"));
    EXPECT_THAT(source, HasSubstr("def llama3_frequencies("));
    EXPECT_THAT(source, HasSubstr("score_scale=0.125"));
    EXPECT_THAT(source, HasSubstr("scores = scores * self.score_scale"));
    EXPECT_THAT(source, Not(HasSubstr("def rotate(")));
}

TEST(ValuesSource, NamesConstantsOfScales)
{
    Model model = *presetNamed("llama-3-8b");
    model.embedding.scale = true;
    model.embedding.scaleFactor = 12.0;
    model.head.scale = true;
    model.head.scaleFactor = 0.0625;
    model.runs[0].block.residualScale = true;
    model.runs[0].block.residualFactor = 0.22;
    const std::string source = sourceWithValues(model);

    EXPECT_THAT(source, HasSubstr("scale_factor=12"));
    EXPECT_THAT(source, HasSubstr("scale_factor=0.0625"));
    EXPECT_THAT(source, HasSubstr("x = x + 0.22 * "));
}

} // namespace
} // namespace flopsmith::torch
