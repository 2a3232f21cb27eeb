// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks that come in turn.
#include "core/model/model_cost.h"
#include "core/parameter/validation.h"
#include "tests/core/io/import_known.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using Patterns = std::vector<Pattern>;

Patterns patternsOf(const char* known, const char* patch = "{}")
{
    return test::modelOf(known, patch).patterns;
}

TEST(ImportedPatterns, OfWindowsAreFound)
{
    EXPECT_EQ(patternsOf("gemma-2-9b"), (Patterns{{0, 2, 21}}));
    EXPECT_EQ(patternsOf("gpt-oss-20b"), (Patterns{{0, 2, 12}}));
    EXPECT_EQ(patternsOf("gemma-3-1b-it"), (Patterns{{0, 2, 4}}));

    const Model gemma = test::modelOf("gemma-3-1b-it", "{}");
    EXPECT_EQ(blocksInPeriod(gemma, gemma.patterns.front()), 6);
    EXPECT_EQ(gemma.runs.back().repeat, 2); // what is left over
}

TEST(ImportedPatterns, OfExpertsAreFound)
{
    const Model model = test::modelOf("qwen3-30b-a3b", R"({"decoder_sparse_step": 4})");

    EXPECT_EQ(model.patterns, (Patterns{{0, 2, 12}}));
    EXPECT_EQ(model.runs[0].repeat, 3);
    EXPECT_TRUE(holds_alternative<MoeFfn>(model.runs[1].block.ffn));
}

TEST(ImportedPatterns, AreNotWhereNothingRepeats)
{
    for (const char* known : {"gpt2", "llama-3-8b", "qwen3-30b-a3b", "deepseek-v2-lite"}) {
        EXPECT_TRUE(patternsOf(known).empty()) << known;
    }
    EXPECT_TRUE(patternsOf("gemma-3-1b-it", R"({"num_hidden_layers": 9})").empty());
}

TEST(ImportedPatterns, ChangeNoCount)
{
    for (const test::KnownModel& known : test::knownModels()) {
        const Model model = test::imported(test::configOf(known)).model;
        Model flat = model;
        flat.patterns.clear();
        EXPECT_TRUE(validated({.model = model, .workload = {}}).ok()) << known.name;
        EXPECT_EQ(costTree({.model = model, .workload = {}}).total(),
                  costTree({.model = flat, .workload = {}}).total())
            << known.name;
    }
}

} // namespace
} // namespace flopsmith
