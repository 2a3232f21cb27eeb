// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/torch/model_source.h"

#include "core/ffn/dense.h"
#include "core/mixer/cross_attention.h"
#include "core/model/presets.h"
#include "tests/core/export/torch/python_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

namespace flopsmith::torch {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string sourceOf(const Model& model)
{
    const Result<std::string> source = modelSource({model, {}});
    return source ? *source : "error: " + source.error().message;
}

std::string sourceOf(const char* preset)
{
    return sourceOf(presetNamed(preset).value());
}

// Two blocks of width 8.
Model smallModel()
{
    Model model;
    model.name = "small";
    model.dModel = 8;
    Block block;
    block.mixer = Attention{.heads = 2, .kvHeads = 2};
    block.ffn = DenseFfn{.dFf = 16};
    model.runs = {{block, 2}};
    return model;
}

TEST(ModelSource, WritesGpt2WithLiteralsAndALoop)
{
    const std::string source = sourceOf("gpt2");

    EXPECT_THAT(source, HasSubstr("# SPDX-License-Identifier: MIT\n"));
    EXPECT_THAT(source, HasSubstr("the generated text belongs to you"));
    EXPECT_THAT(source, HasSubstr("Embedding(d=768, vocab=50257, position_rows=1024)"));
    EXPECT_THAT(source, HasSubstr("        for _ in range(12):\n            self.blocks.append("));
    EXPECT_THAT(source, HasSubstr("attention=Attention(d=768, heads=12, head_dim=64),"));
    EXPECT_THAT(source, HasSubstr("ffn=Dense(d=768, d_ff=3072),"));
    EXPECT_THAT(source, HasSubstr("x = x + self.attention(self.mixer_norm(x))\n"));
    EXPECT_THAT(source, HasSubstr("return self.head(x, self.embedding.tokens.weight)"));
}

TEST(ModelSource, GivesBlocksThatDifferInNumbersOneClass)
{
    Model model = smallModel();
    model.runs.push_back(model.runs.front());
    model.runs.back().block.ffn = DenseFfn{.dFf = 32};
    const std::string source = sourceOf(model);

    EXPECT_THAT(source, HasSubstr("ffn=Dense(d=8, d_ff=32)"));
    EXPECT_THAT(source, Not(HasSubstr("Dense2")));
    EXPECT_THAT(source, Not(HasSubstr("Block2")));
}

TEST(ModelSource, LoopsOverPeriodsOfBlocks)
{
    const std::string source = sourceOf("gemma-2-2b");

    EXPECT_THAT(source, HasSubstr("for _ in range(13):"));
    EXPECT_THAT(source, HasSubstr("attention=Attention2("));
    EXPECT_THAT(source, HasSubstr("window=4096,"));
}

TEST(ModelSource, UsesASharedBlockAgain)
{
    const std::string source = sourceOf("gpt2-shared");

    EXPECT_THAT(source,
                HasSubstr("for _ in range(11):\n            "
                          "self.blocks.append(Again(self.blocks[0]))"));
}

TEST(ModelSource, LetsLaterBlocksReadTheTableOfTheFirst)
{
    const std::string source = sourceOf("t5-small");

    EXPECT_THAT(source, HasSubstr("relative_bias=self.blocks[0].attention.relative_bias"));
    EXPECT_THAT(source, HasSubstr("relative_bias=self.blocks[6].attention.relative_bias"));
    EXPECT_THAT(source, HasSubstr("def forward(self, tokens, source):"));
    EXPECT_THAT(source, HasSubstr("for block in self.blocks[:6]:"));
    EXPECT_THAT(source, HasSubstr("self.cross_attention(self.cross_norm(x), source)"));
}

TEST(ModelSource, LeavesMutedPartsOut)
{
    Model model = smallModel();
    model.runs.front().block.mixerMuted = true;
    const std::string source = sourceOf(model);

    EXPECT_THAT(source, Not(HasSubstr("Attention")));
    EXPECT_THAT(source, Not(HasSubstr("mixer_norm")));
    EXPECT_THAT(source, HasSubstr("x = x + self.ffn(self.ffn_norm(x))"));
}

TEST(ModelSource, PlacesNormsAsTheBlockDoes)
{
    Model model = smallModel();
    Block& block = model.runs.front().block;

    block.placement = NormPlacement::post;
    EXPECT_THAT(sourceOf(model),
                HasSubstr("x = x + self.attention(x)\n        x = self.mixer_norm(x)\n"));
    block.placement = NormPlacement::output;
    EXPECT_THAT(sourceOf(model), HasSubstr("x = x + self.mixer_norm(self.attention(x))\n"));
    block.placement = NormPlacement::sandwich;
    block.residualScale = true;
    EXPECT_THAT(
        sourceOf(model),
        HasSubstr("x = x + 0.25 * self.mixer_output_norm(self.attention(self.mixer_norm(x)))\n"));
}

TEST(ModelSource, AddsParallelBranchesAtOnce)
{
    Model model = smallModel();
    Block& block = model.runs.front().block;
    block.layout = BlockLayout::parallel;

    EXPECT_THAT(
        sourceOf(model),
        HasSubstr("x = x + (self.attention(self.mixer_norm(x)) + self.ffn(self.ffn_norm(x)))\n"));
    block.oneNorm = true;
    EXPECT_THAT(sourceOf(model),
                HasSubstr("h = self.norm(x)\n        x = x + (self.attention(h) + self.ffn(h))\n"));
}

TEST(ModelSource, LeavesAbsentNormsAndHeadsOut)
{
    Model model = smallModel();
    model.runs.front().block.norm = Norm::absent();
    model.finalNorm = Norm::absent();
    model.head = {.kind = HeadKind::none};
    const std::string source = sourceOf(model);

    EXPECT_THAT(source, Not(HasSubstr("norm=")));
    EXPECT_THAT(source, Not(HasSubstr("self.head(")));
    EXPECT_THAT(source, HasSubstr("            x = block(x)\n        return x\n"));
}

TEST(ModelSource, ReadsImages)
{
    const std::string source = sourceOf("vit-base-patch16-224");

    EXPECT_THAT(source, HasSubstr("def forward(self, images):"));
    EXPECT_THAT(source, HasSubstr("nn.Conv2d("));
    EXPECT_THAT(source, HasSubstr("Classifier(d=768, classes=1000)"));
}

TEST(ModelSource, QuotesTheModelsName)
{
    Model model = smallModel();
    model.name = "\"\"\"\nimport os\\";

    EXPECT_THAT(sourceOf(model), HasSubstr("\"\"\"\\\"\\\"\\\" import os\\\\ in PyTorch"));
}

TEST(ModelSource, SaysWhichBlockNoProgramCanExecute)
{
    Model cross = smallModel();
    cross.runs.front().block.cross = CrossAttention{.heads = 2, .kvHeads = 2};
    EXPECT_EQ(sourceOf(cross),
              "error: blocks[0] looks at an encoder's output, but is no decoder block after an "
              "encoder");

    Model shared = smallModel();
    shared.runs.front().block.mixer =
        Attention{.heads = 2, .kvHeads = 2, .positionBias = PositionBias::sharedRelative};
    EXPECT_THAT(sourceOf(shared), HasSubstr("error: blocks[0] shares a table"));

    Model swapped = presetNamed("t5-small").value();
    std::swap(swapped.runs.front(), swapped.runs.back());
    EXPECT_THAT(sourceOf(swapped), HasSubstr("error: blocks["));

    Model tied = presetNamed("vit-base-patch16-224").value();
    tied.head = {.kind = HeadKind::lm, .tied = true};
    EXPECT_THAT(sourceOf(tied), HasSubstr("untie it"));
}

// As formatters of Python leave a file: two blank lines before what stands at the margin.
void expectFormatted(const std::string& source)
{
    std::istringstream lines(source);
    int blanks = 0;
    for (std::string line; std::getline(lines, line);) {
        EXPECT_EQ(line.find('\t'), std::string::npos) << line;
        EXPECT_FALSE(line.ends_with(' ')) << line;
        if (line.starts_with("class ") || line.starts_with("def ")) {
            EXPECT_EQ(blanks, 2) << line;
        } else if (!line.empty()) {
            EXPECT_LE(blanks, line.starts_with(" ") ? 1 : 2) << line;
        }
        blanks = line.empty() ? blanks + 1 : 0;
    }
    EXPECT_EQ(blanks, 0) << "blank lines at the end";
    EXPECT_TRUE(source.ends_with("\n"));
}

TEST(ModelSource, IsFormattedAndImportsWhatItUses)
{
    for (const Preset& preset : presets()) {
        SCOPED_TRACE(preset.id);
        const std::string source = sourceOf(preset.make());
        expectFormatted(source);
        EXPECT_EQ(source.find("import math\n") != std::string::npos,
                  source.find("math.") != std::string::npos);
        EXPECT_EQ(source.find("functional as F\n") != std::string::npos,
                  std::regex_search(source, std::regex("[^A-Za-z]F\\.")));
    }
}

TEST(ModelSource, WritesAPartWithTheFunctionThatMakesIt)
{
    const Result<std::string> ffn = partSource(FfnSpec(DenseFfn{.dFf = 16}), 8);
    ASSERT_TRUE(ffn.ok()) << ffn.error().message;
    EXPECT_THAT(*ffn, HasSubstr("belongs to you"));
    EXPECT_THAT(*ffn, HasSubstr("def part():\n    return Dense(d=8, d_ff=16)\n"));
    expectFormatted(*ffn);
    const auto mixer = partSource(MixerSpec(Attention{.heads = 2, .kvHeads = 2}), 8);
    ASSERT_TRUE(mixer.ok()) << mixer.error().message;
    EXPECT_THAT(*mixer, HasSubstr("    return Attention(d=8, heads=2, head_dim=4)\n"));
}

TEST(ModelSource, WritesThePartsAroundThem)
{
    const Head head{.kind = HeadKind::lm, .tied = true};
    const std::vector<std::pair<Result<std::string>, std::string>> written{
        {partSource(Norm{}, 8), "return nn.LayerNorm(8, eps=1e-05)\n"},
        {partSource(Residual{}), "return x + f\n"},
        {partSource(Residual{.branches = 2, .scale = true}), "return x + 0.25 * (f + g)\n"},
        {partSource(Embedding{.vocab = 90}, 8), "return Embedding(d=8, vocab=90"},
        {partSource(head, 8, 90), "def forward(self, x, table)"},
    };
    for (const auto& [source, line] : written) {
        ASSERT_TRUE(source.ok()) << source.error().message;
        EXPECT_THAT(*source, HasSubstr(line));
        EXPECT_THAT(*source, HasSubstr("def part():\n    return "));
        expectFormatted(*source);
    }
}

TEST(ModelSource, WritesWhatDecodesWithAContext)
{
    const auto mixer =
        partSource(MixerSpec(Attention{.heads = 2, .kvHeads = 2}), 8, PartStep::decode);
    ASSERT_TRUE(mixer.ok()) << mixer.error().message;
    EXPECT_THAT(*mixer, HasSubstr("k, v = context.with_earlier(k, v)"));
    const auto embedding = partSource(Embedding{}, 8, PartStep::decode);
    ASSERT_TRUE(embedding.ok()) << embedding.error().message;
    EXPECT_THAT(*embedding, HasSubstr("position = context.positions"));
}

TEST(ModelSource, GivesTheSameTextTwice)
{
    EXPECT_EQ(sourceOf("gpt2-ultra-efficient-ffn"), sourceOf("gpt2-ultra-efficient-ffn"));
}

TEST(ModelSource, WritesEveryPresetInPython)
{
    std::vector<std::string> texts;
    for (const Preset& preset : presets()) {
        texts.push_back(sourceOf(preset.make()));
        EXPECT_THAT(texts.back(), HasSubstr("class Model(nn.Module):")) << preset.id;
    }
    Model hostile = smallModel();
    hostile.name = "\"\"\"\nnot Python \\";
    texts.push_back(sourceOf(hostile));
    if (!test::hasPython()) {
        GTEST_SKIP() << "there is no python3";
    }
    EXPECT_TRUE(test::compilesInPython(texts));
}

} // namespace
} // namespace flopsmith::torch
