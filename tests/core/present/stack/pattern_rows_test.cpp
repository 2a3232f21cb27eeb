// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/stack/stack.h"
#include "tests/support/patterned.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using test::patterned;
using test::unpatterned;

StackPicture pictureOfModel(const Model& model, Phase phase)
{
    const Scenario scenario{.model = model, .workload = {.phase = phase, .sequence = 256}};
    return stackPicture(scenario, costTree(scenario), LensId::exact);
}

double shownCost(const StackPicture& picture)
{
    double sum = 0.0;
    for (const StackRow& row : picture.rows) {
        for (const StackPart& part : row.parts) {
            sum += part.bar.value;
        }
    }
    return sum;
}

TEST(PatternRows, ShowOnePeriodWithTheCostOfAllRepeats)
{
    for (const Phase phase : {Phase::prefill, Phase::decode, Phase::train}) {
        const StackPicture folded = pictureOfModel(patterned(), phase);
        const StackPicture flat = pictureOfModel(unpatterned(patterned()), phase);

        EXPECT_EQ(folded.rows.size() + 4, flat.rows.size());
        EXPECT_DOUBLE_EQ(shownCost(folded), shownCost(flat));
        EXPECT_DOUBLE_EQ(folded.rows[2].parts[0].bar.value, 3.0 * flat.rows[2].parts[0].bar.value);
        EXPECT_TRUE(flat.patterns.empty());
    }
}

TEST(PatternRows, SayWhatAnEditChanges)
{
    const StackPicture picture = pictureOfModel(patterned(), Phase::prefill);

    ASSERT_EQ(picture.patterns.size(), 1U);
    const StackPattern& pattern = picture.patterns.front();
    EXPECT_EQ(pattern.title, "Pattern of blocks 3 \xE2\x80\x93 5, of 12");
    EXPECT_EQ(pattern.timesText, "\xC3\x97 3");
    EXPECT_EQ(pattern.firstRow, 2);
    EXPECT_EQ(pattern.lastRow, 3);
    EXPECT_EQ(picture.rows[3].patternText,
              "pattern \xC3\x97 3 \xE2\x80\xBA Blocks 4 \xE2\x80\x93 5: 6 blocks change");
    for (const StackRow& row : picture.rows) {
        EXPECT_EQ(row.patternText.empty(), row.pattern < 0);
    }
    EXPECT_EQ(picture.rows[4].title, "Block 12");
}

} // namespace
} // namespace flopsmith
