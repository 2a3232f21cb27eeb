// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/gated.h"
#include "core/io/project/project_file.h"
#include "core/mixer/attention.h"

#include <gtest/gtest.h>

// Files as programs have written them. They open for ever: a change that would need one of them to
// be changed needs a new version of the format instead.
namespace flopsmith {
namespace {

constexpr std::string_view kFirstFormat = R"({
  "flopsmith": 1,
  "program": "0.1.0",
  "model": {
    "name": "Two runs",
    "d_model": 64,
    "embedding": {"vocab": 256, "positions": "learned", "position_rows": 128,
                  "norm": {"norm": "none"}},
    "blocks": [
      {
        "repeat": 2,
        "norm_placement": "pre",
        "norm": "layer_norm",
        "layout": "sequential",
        "one_norm": false,
        "residual_scale": false,
        "stack": "decoder",
        "share_group": 0,
        "mixer": {"kind": "attention", "heads": 4, "kv_heads": 2, "causal": true},
        "ffn": {"kind": "dense", "d_ff": 256, "activation": "gelu_tanh", "bias": true}
      },
      {
        "repeat": 1,
        "mixer": {"kind": "none"},
        "ffn": {"kind": "gated", "d_ff": 96}
      }
    ],
    "final_norm": {"norm": "rms_norm"},
    "head": {"head": "lm", "head_tied": true}
  },
  "workload": {"phase": "prefill", "batch": 3, "seq": 77},
  "lens": "matmul",
  "view": {"zoom": 1.5}
}
)";

constexpr std::string_view kSecondFormat = R"({
  "flopsmith": 2,
  "program": "0.1.0",
  "model": {
    "name": "Muted",
    "d_model": 64,
    "blocks": [
      {
        "repeat": 2,
        "mixer": {"kind": "attention", "heads": 4, "kv_heads": 4},
        "ffn": {"kind": "dense", "d_ff": 256},
        "mute": ["mixer", "ffn"]
      }
    ]
  },
  "workload": {"seq": 32},
  "lens": "exact"
}
)";

constexpr std::string_view kPatterns = R"({
  "flopsmith": 2,
  "program": "0.1.0",
  "model": {
    "name": "Pattern",
    "d_model": 64,
    "blocks": [
      {"mixer": {"kind": "attention", "heads": 4, "kv_heads": 4, "window": 16}},
      {"repeat": 2, "mixer": {"kind": "attention", "heads": 4, "kv_heads": 4}},
      {"mixer": {"kind": "attention", "heads": 4, "kv_heads": 4, "window": 16}},
      {"repeat": 2, "mixer": {"kind": "attention", "heads": 4, "kv_heads": 4}},
      {"ffn": {"kind": "dense", "d_ff": 128}, "mixer": {"kind": "attention", "heads": 4, "kv_heads": 4}}
    ],
    "patterns": [{"first": 0, "length": 2, "times": 2}]
  },
  "workload": {"seq": 32}
}
)";

Project openedFile(std::string_view text)
{
    const Result<Project> project = parsedProject(text, "old.flopsmith");
    EXPECT_TRUE(project.ok()) << project.error().message;
    return project.ok() ? *project : Project{};
}

TEST(OldFiles, OfTheFirstFormatOpen)
{
    const Project project = openedFile(kFirstFormat);
    const Model& model = project.scenario.model;

    EXPECT_EQ(model.name, "Two runs");
    EXPECT_EQ(model.dModel, 64);
    EXPECT_EQ(model.embedding.vocab, 256);
    ASSERT_EQ(model.runs.size(), 2U);
    EXPECT_EQ(model.layers(), 3);
    EXPECT_EQ(get<Attention>(model.runs[0].block.mixer).kvHeads, 2);
    EXPECT_EQ(get<DenseFfn>(model.runs[0].block.ffn).dFf, 256);
    EXPECT_FALSE(model.runs[1].block.hasMixer());
    EXPECT_EQ(get<GatedFfn>(model.runs[1].block.ffn).dFf, 96);
    EXPECT_EQ(project.scenario.workload.batch, 3);
    EXPECT_EQ(project.scenario.queryTokens(), 77);
    EXPECT_EQ(project.lens, LensId::matmul);
    EXPECT_EQ(project.view, R"({"zoom":1.5})");
    EXPECT_TRUE(project.kept.empty());
}

TEST(OldFiles, OfTheSecondFormatOpen)
{
    const Project project = openedFile(kSecondFormat);

    ASSERT_EQ(project.scenario.model.runs.size(), 1U);
    const Block& block = project.scenario.model.runs[0].block;
    EXPECT_TRUE(block.mixerMuted);
    EXPECT_FALSE(block.crossMuted);
    EXPECT_TRUE(block.ffnMuted);
    EXPECT_EQ(get<DenseFfn>(block.ffn).dFf, 256);
    EXPECT_TRUE(project.kept.empty());
}

TEST(OldFiles, OfTheSecondFormatWithPatternsOpen)
{
    const Project project = openedFile(kPatterns);

    EXPECT_EQ(project.scenario.model.layers(), 7);
    EXPECT_EQ(project.scenario.model.patterns, (std::vector<Pattern>{{0, 2, 2}}));
    EXPECT_TRUE(project.kept.empty());
}

} // namespace
} // namespace flopsmith
