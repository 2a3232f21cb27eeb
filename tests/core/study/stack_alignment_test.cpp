// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/compare/stack_alignment.h"

#include "core/count/lens.h"
#include "core/mixer/attention.h"
#include "core/mixer/no_mixer.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "tests/support/random_scenario.h"

#include <gtest/gtest.h>

#include <rapidcheck.h>

#include <algorithm>

namespace flopsmith {
namespace {

using RowKind = AlignedBlocks::Kind;

Scenario stackOf(std::string_view preset)
{
    return {*presetNamed(preset), {.sequence = 128}};
}

std::vector<Block> expandedBlocks(const Scenario& scenario)
{
    std::vector<Block> blocks;
    for (const BlockRun& run : scenario.model.runs) {
        blocks.insert(blocks.end(), static_cast<std::size_t>(run.repeat), run.block);
    }
    return blocks;
}

// The textbook's table, block by block.
int longestCommon(const std::vector<Block>& a, const std::vector<Block>& b)
{
    std::vector<std::vector<int>> lengths(a.size() + 1, std::vector<int>(b.size() + 1, 0));
    for (std::size_t i = a.size(); i-- > 0;) {
        for (std::size_t j = b.size(); j-- > 0;) {
            lengths[i][j] = a[i] == b[j] ? lengths[i + 1][j + 1] + 1
                                         : std::max(lengths[i + 1][j], lengths[i][j + 1]);
        }
    }
    return lengths[0][0];
}

int equalBlocks(const std::vector<AlignedBlocks>& rows)
{
    int equal = 0;
    for (const AlignedBlocks& row : rows) {
        equal += row.kind == RowKind::equal ? row.a.count : 0;
    }
    return equal;
}

// What is wrong with the order of the rows; empty if every block stands in one.
std::string faultOfRanges(const Scenario& a,
                          const Scenario& b,
                          const std::vector<AlignedBlocks>& rows)
{
    int x = 0;
    int y = 0;
    for (const AlignedBlocks& row : rows) {
        if (row.a.first != x || row.b.first != y) {
            return "a gap before " + std::to_string(row.a.first);
        }
        const bool both = row.kind == RowKind::equal || row.kind == RowKind::changed;
        const bool counts = both           ? row.a.count == row.b.count && row.a.count > 0
            : row.kind == RowKind::removed ? row.a.count > 0 && row.b.count == 0
                                           : row.a.count == 0 && row.b.count > 0;
        if (!counts) {
            return "wrong counts at " + std::to_string(x);
        }
        x += row.a.count;
        y += row.b.count;
    }
    return x == a.model.layers() && y == b.model.layers() ? "" : "blocks without a row";
}

// What one block costs in the model of `around`.
Count costOfBlock(const Scenario& around, const Block& block)
{
    Scenario alone = around;
    alone.model.runs = {{block, 1}};
    return priced(LensId::exact, costTree(alone).total().count);
}

// What is wrong with what the rows say of their blocks.
std::string faultOfContents(const Scenario& a,
                            const Scenario& b,
                            const std::vector<AlignedBlocks>& rows)
{
    const std::vector<Block> before = expandedBlocks(a);
    const std::vector<Block> after = expandedBlocks(b);
    for (const AlignedBlocks& row : rows) {
        if (row.differences.empty() == (row.kind == RowKind::changed)) {
            return "differences at " + std::to_string(row.a.first);
        }
        for (const BlockDifference& difference : row.differences) {
            if (difference.a.value == difference.b.value) {
                return difference.key + " is no difference";
            }
        }
        if (row.kind != RowKind::equal && row.kind != RowKind::changed) {
            continue;
        }
        const Block& x = before.at(static_cast<std::size_t>(row.a.first));
        const Block& y = after.at(static_cast<std::size_t>(row.b.first));
        if (x.stack != y.stack) {
            return "an encoder block beside a decoder block";
        }
        if (row.kind == RowKind::equal && !(x == y) && costOfBlock(a, x) != costOfBlock(a, y)) {
            return "equal blocks of different costs";
        }
    }
    return {};
}

std::vector<AlignedBlocks> mirrored(std::vector<AlignedBlocks> rows)
{
    for (AlignedBlocks& row : rows) {
        std::swap(row.a, row.b);
        for (BlockDifference& difference : row.differences) {
            std::swap(difference.a, difference.b);
        }
        if (row.kind == RowKind::removed || row.kind == RowKind::added) {
            row.kind = row.kind == RowKind::removed ? RowKind::added : RowKind::removed;
        }
    }
    return rows;
}

std::string faultOf(const Scenario& a, const Scenario& b)
{
    const std::vector<AlignedBlocks> rows = alignedStacks(a, b);
    if (const std::string fault = faultOfRanges(a, b, rows); !fault.empty()) {
        return fault;
    }
    if (mirrored(rows) != alignedStacks(b, a)) {
        return "not the same from the other side";
    }
    return faultOfContents(a, b, rows);
}

TEST(StackAlignment, PairsEveryPresetWithOthersAndFromBothSides)
{
    const std::vector<Preset>& all = presets();
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (const Preset& other : {all[(i + 1) % all.size()], all.front(), all.back()}) {
            const Scenario a = stackOf(all[i].id);
            const Scenario b = stackOf(other.id);
            EXPECT_EQ(faultOf(a, b), "") << all[i].id << " and " << other.id;
            EXPECT_EQ(equalBlocks(alignedStacks(a, b)),
                      longestCommon(expandedBlocks(a), expandedBlocks(b)))
                << all[i].id << " and " << other.id;
        }
    }
}

TEST(StackAlignment, FindsNothingToSayOfAModelAndItself)
{
    for (const Preset& preset : presets()) {
        const Scenario scenario = stackOf(preset.id);
        const int layers = scenario.model.layers();
        EXPECT_EQ(alignedStacks(scenario, scenario),
                  (std::vector<AlignedBlocks>{{RowKind::equal, {0, layers}, {0, layers}}}))
            << preset.id;
    }
}

TEST(StackAlignment, HoldsForRandomModels)
{
    const bool holds = rc::check("rows cover both stacks and mirror", [] {
        const Scenario a = test::randomScenario();
        const Scenario b = test::randomScenario();
        const std::string fault = faultOf(a, b);
        RC_ASSERT(fault == "");
    });
    EXPECT_TRUE(holds);
}

// Few kinds of blocks in short runs: many subsequences are equally long.
TEST(StackAlignment, FindsALongestCommonSubsequenceOfMixedStacks)
{
    const bool holds = rc::check("as long as the textbook's, from both sides", [] {
        Scenario a = stackOf("gpt2");
        Scenario b = a;
        for (Scenario* scenario : {&a, &b}) {
            scenario->model.runs.clear();
            const int runs = *rc::gen::inRange(0, 9);
            for (int i = 0; i < runs; ++i) {
                const int heads = 1 << *rc::gen::inRange(0, 3);
                const int repeat = *rc::gen::inRange(1, 4);
                scenario->model.runs.push_back(
                    {{.mixer = Attention{.heads = heads, .kvHeads = heads}}, repeat});
            }
        }
        const std::string fault = faultOf(a, b);
        RC_ASSERT(fault == "");
        const int longest = longestCommon(expandedBlocks(a), expandedBlocks(b));
        RC_ASSERT(equalBlocks(alignedStacks(a, b)) == longest);
    });
    EXPECT_TRUE(holds);
}

TEST(StackAlignment, NamesTheChangedFieldsOfOneBlockAmongAThousand)
{
    Scenario a = stackOf("gpt2");
    const Block block = a.model.runs.front().block;
    Block other = block;
    get<DenseFfn>(other.ffn).dFf = 1024;
    a.model.runs.clear();
    for (int i = 0; i < 500; ++i) {
        a.model.runs.push_back({block, 1});
        a.model.runs.push_back({other, 1});
    }
    Scenario b = a;
    get<DenseFfn>(b.model.runs[500].block.ffn).dFf = 512;

    const std::vector<AlignedBlocks> rows = alignedStacks(a, b);

    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0], (AlignedBlocks{RowKind::equal, {0, 500}, {0, 500}}));
    EXPECT_EQ(rows[1].kind, RowKind::changed);
    EXPECT_EQ(rows[1].a, (BlockRange{500, 1}));
    ASSERT_EQ(rows[1].differences.size(), 1U);
    EXPECT_EQ(rows[1].differences[0].key, "ffn.d_ff");
    EXPECT_EQ(rows[1].differences[0].a.text, "3072");
    EXPECT_EQ(rows[1].differences[0].b.text, "512");
    EXPECT_EQ(rows[2], (AlignedBlocks{RowKind::equal, {501, 499}, {501, 499}}));
}

TEST(StackAlignment, NamesNoFieldsOfMutedParts)
{
    const Scenario a = stackOf("gpt2");
    Scenario b = a;
    Block& block = b.model.runs.front().block;
    block.ffnMuted = true;
    get<DenseFfn>(block.ffn).dFf = 512;

    const std::vector<AlignedBlocks> rows = alignedStacks(a, b);

    ASSERT_EQ(rows.size(), 1U);
    ASSERT_EQ(rows[0].differences.size(), 1U);
    EXPECT_EQ(rows[0].differences[0].key, "ffn");
    EXPECT_EQ(rows[0].differences[0].b.text, "none");
}

TEST(StackAlignment, SaysWhichBlocksWereAddedInTheMiddleOfARun)
{
    const Scenario a = stackOf("gpt2");
    Scenario b = a;
    b.model.runs = {{a.model.runs.front().block, 5},
                    {{.mixer = NoMixer{}}, 2},
                    {a.model.runs.front().block, 7}};

    EXPECT_EQ(alignedStacks(a, b),
              (std::vector<AlignedBlocks>{{RowKind::equal, {0, 5}, {0, 5}},
                                          {RowKind::added, {5, 0}, {5, 2}},
                                          {RowKind::equal, {5, 7}, {7, 7}}}));
}

TEST(StackAlignment, NamesANewVariantBeforeItsFields)
{
    const std::vector<AlignedBlocks> rows = alignedStacks(stackOf("gpt2"), stackOf("llama-3-8b"));

    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].kind, RowKind::changed);
    EXPECT_EQ(rows[0].a, (BlockRange{0, 12}));
    EXPECT_EQ(rows[0].differences.front().key, "ffn");
    EXPECT_EQ(rows[0].differences.front().a.text, "dense");
    EXPECT_EQ(rows[0].differences.front().b.text, "gated");
    EXPECT_EQ(rows[1].kind, RowKind::added);
    EXPECT_EQ(rows[1].b, (BlockRange{12, 20}));
}

} // namespace
} // namespace flopsmith
