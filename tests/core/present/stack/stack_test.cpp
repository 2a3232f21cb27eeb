// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/stack/stack.h"

#include "core/model/presets.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

StackPicture pictureOf(std::string_view preset, LensId lensId = LensId::exact)
{
    const Scenario scenario{.model = *presetNamed(preset), .workload = {.sequence = 1024}};
    return stackPicture(scenario, costTree(scenario, lens(lensId).pairs), lensId);
}

TEST(Stack, ShowsEmbeddingRunsNormAndHead)
{
    const StackPicture picture = pictureOf("gpt2-half-swapped");

    ASSERT_EQ(picture.rows.size(), 5U);
    EXPECT_EQ(picture.rows[0].parts[0].detail,
              "50\xE2\x80\xAF"
              "257 \xC3\x97 768, learned positions");
    EXPECT_EQ(picture.rows[1].title, "Blocks 1 \xE2\x80\x93 6");
    EXPECT_EQ(picture.rows[2].repeatText, "\xC3\x97 6");
    EXPECT_EQ(picture.rows[2].firstBlock, 6);
    EXPECT_EQ(picture.rows[3].title, "Final norm");
    EXPECT_EQ(picture.rows[4].parts[0].detail, "tied to the embedding");
}

TEST(Stack, ShowsBothHalvesOfAnEncoderDecoderAndWhatCrosses)
{
    const StackPicture picture = pictureOf("t5-small");

    std::vector<std::string> titles;
    for (const StackRow& row : picture.rows) {
        titles.push_back(row.title);
    }
    EXPECT_EQ(titles,
              (std::vector<std::string>{"Embedding",
                                        "Encoder block 1",
                                        "Encoder blocks 2 \xE2\x80\x93 6",
                                        "Encoder norm",
                                        "Decoder block 7",
                                        "Decoder blocks 8 \xE2\x80\x93 12",
                                        "Final norm",
                                        "LM head"}));
    ASSERT_EQ(picture.rows[4].parts.size(), 3U);
    EXPECT_TRUE(picture.rows[4].parts[1].role == PartRole::cross);
    EXPECT_GT(picture.rows[4].parts[1].bar.value, 0.0);
    EXPECT_EQ(picture.rows[2].parts.size(), 2U);
}

TEST(Stack, WithoutItsCostsKeepsAllElse)
{
    const StackPicture known = pictureOf("gpt2-ultra-efficient");

    const StackPicture asked = withoutCosts(known);

    ASSERT_EQ(asked.rows.size(), known.rows.size());
    EXPECT_EQ(asked.largest, 0.0);
    for (std::size_t i = 0; i < asked.rows.size(); ++i) {
        EXPECT_EQ(asked.rows[i].title, known.rows[i].title);
        for (const StackPart& part : asked.rows[i].parts) {
            EXPECT_EQ(part.bar,
                      (CostBar{.component = part.component, .text = "?", .exactText = "?"}))
                << part.title;
            for (const StageChip& chip : part.chips) {
                EXPECT_EQ(chip.bar.text, "?");
                EXPECT_EQ(chip.bar.share, 0.0);
            }
        }
    }
}

TEST(Stack, SaysWhichBlocksAreParallel)
{
    Scenario scenario{.model = *presetNamed("gpt2")};
    scenario.model.runs.front().block.layout = BlockLayout::parallel;

    const StackPicture picture = stackPicture(scenario, costTree(scenario), LensId::exact);

    EXPECT_EQ(picture.rows[1].title, "Blocks 1 \xE2\x80\x93 12, mixer and FFN in parallel");
}

TEST(Stack, TellsHowImagesAndNarrowTablesAreRead)
{
    const StackPicture image = pictureOf("vit-base-patch16-224");
    EXPECT_EQ(image.rows.front().parts[0].detail,
              "196 patches of 16 \xC3\x97 16, learned positions");
    EXPECT_EQ(image.rows.back().parts[0].detail,
              "1\xE2\x80\xAF"
              "000 classes");
    EXPECT_EQ(pictureOf("albert-base").rows.front().parts[0].detail,
              "30\xE2\x80\xAF"
              "000 \xC3\x97 128 \xE2\x86\x92 768, learned positions");
}

TEST(Stack, BarsOfARunCountAllItsBlocks)
{
    const StackPicture picture = pictureOf("gpt2", LensId::matmul);

    const StackPart& dense = picture.rows.at(1).parts.at(1);
    EXPECT_EQ(dense.bar.value, 2.0 * 2 * 1024 * 768 * 3072 * 12);
    EXPECT_EQ(dense.bar.text, "116.0 G");
    EXPECT_EQ(dense.detail, "d_ff 3072");
}

TEST(Stack, TheDearestPartHasTheLongestBar)
{
    double longest = 0.0;
    for (const StackRow& row : pictureOf("gpt2-half-swapped").rows) {
        for (const StackPart& part : row.parts) {
            EXPECT_GE(part.bar.share, 0.0);
            longest = std::max(longest, part.bar.share);
        }
    }
    EXPECT_EQ(longest, 1.0);
}

TEST(Stack, AComposedFfnShowsItsStages)
{
    const StackPart part = pictureOf("gpt2-ultra-efficient").rows.at(1).parts.at(1);

    ASSERT_EQ(part.chips.size(), 3U);
    EXPECT_EQ(part.chips[0].shortTitle, "spectral");
    EXPECT_EQ(part.chips[1].shortTitle, "poly");
    EXPECT_EQ(part.chips[2].shortTitle, "micro");
    double stages = 0.0;
    for (const StageChip& chip : part.chips) {
        stages += chip.bar.value;
    }
    EXPECT_GT(stages, 0.0);
    EXPECT_LT(stages, part.bar.value); // the gates and sums are the rest
}

TEST(Stack, WhatTheLensCannotSeeIsNotAZero)
{
    const StackPicture picture = pictureOf("gpt2", LensId::mac);

    EXPECT_TRUE(picture.rows.at(2).parts.at(0).bar.uncounted);
    EXPECT_EQ(picture.rows.at(2).parts.at(0).bar.text, "uncounted");
}

TEST(Stack, AFormulaHasNoBars)
{
    const StackPicture picture = pictureOf("gpt2", LensId::kaplan);

    EXPECT_EQ(picture.largest, 0.0);
    EXPECT_NE(picture.note.find("no cost per part"), std::string::npos);
    for (const StackRow& row : picture.rows) {
        for (const StackPart& part : row.parts) {
            EXPECT_EQ(part.bar.text, "\xE2\x80\x93");
            EXPECT_FALSE(part.bar.uncounted);
        }
    }
}

TEST(Stack, AMutedPartKeepsItsPlaceAndSaysSo)
{
    for (const char* preset : {"gpt2", "gpt2-ultra-efficient", "t5-small"}) {
        for (const Phase phase : {Phase::prefill, Phase::train}) {
            Scenario scenario{.model = *presetNamed(preset), .workload = {.phase = phase}};
            const StackPicture before = stackPicture(scenario, costTree(scenario), LensId::exact);
            Block& block = scenario.model.runs.back().block;
            block.mixerMuted = block.ffnMuted = true;
            block.crossMuted = block.holdsCross();

            const StackPicture after = stackPicture(scenario, costTree(scenario), LensId::exact);

            ASSERT_EQ(after.rows.size(), before.rows.size());
            for (std::size_t row = 0; row < after.rows.size(); ++row) {
                const bool changed = after.rows[row].run + 1 == std::ssize(scenario.model.runs);
                ASSERT_EQ(after.rows[row].parts.size(), before.rows[row].parts.size());
                for (std::size_t i = 0; i < after.rows[row].parts.size(); ++i) {
                    const StackPart& part = after.rows[row].parts[i];
                    EXPECT_EQ(part.muted, changed) << preset << " " << part.title;
                    EXPECT_EQ(part.bar.text == "muted", changed) << preset << " " << part.title;
                    EXPECT_EQ(part.detail, before.rows[row].parts[i].detail);
                    EXPECT_EQ(part.chips.size(), before.rows[row].parts[i].chips.size());
                }
            }
        }
    }
}

TEST(Stack, EveryPresetHasAPicture)
{
    for (const Preset& preset : presets()) {
        for (const StackRow& row : pictureOf(preset.id).rows) {
            EXPECT_FALSE(row.title.empty());
            for (const StackPart& part : row.parts) {
                EXPECT_NE(part.component, nullptr);
                EXPECT_FALSE(part.bar.text.empty());
            }
        }
    }
}

} // namespace
} // namespace flopsmith
