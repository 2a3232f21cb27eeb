// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/stack/stack_columns.h"

#include "core/ffn/dense.h"
#include "core/model/pattern.h"
#include "core/model/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace flopsmith {
namespace {

using Mark = ColumnBox::Mark;

constexpr double kGap = 6.0;
constexpr double kMin = 30.0;

/// A scenario with its picture.
struct ModelAndStack
{
    Scenario scenario;
    StackPicture picture;

    ShownStack shown() const { return {scenario, picture}; }
};

ModelAndStack stackOf(const Model& model)
{
    const Scenario scenario{.model = model};
    return {scenario, stackPicture(scenario, costTree(scenario), LensId::exact)};
}

std::vector<ColumnGroup> groupsOf(const ModelAndStack& live, const ModelAndStack& beside)
{
    return columnGroups(live.shown(), beside.shown());
}

// Rows of different heights, one below the other.
std::vector<ColumnSpan> spansOf(const ModelAndStack& stack)
{
    std::vector<ColumnSpan> spans;
    double top = 8.0;
    for (std::size_t row = 0; row < stack.picture.rows.size(); ++row) {
        const double height = 24.0 + 17.0 * static_cast<double>(row % 3);
        spans.push_back({top, top + height});
        top += height + kGap;
    }
    return spans;
}

// Where the rows stand after they have given way.
std::vector<ColumnSpan> moved(std::vector<ColumnSpan> rows, const ColumnLayout& layout)
{
    double by = 0.0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        by += layout.before[row];
        rows[row].top += by;
        rows[row].bottom += by;
    }
    return rows;
}

std::vector<ColumnBox> boxesOf(const std::vector<ColumnGroup>& groups, Mark mark)
{
    std::vector<ColumnBox> boxes;
    for (const ColumnGroup& group : groups) {
        std::copy_if(group.boxes.begin(),
                     group.boxes.end(),
                     std::back_inserter(boxes),
                     [mark](const ColumnBox& box) { return box.mark == mark; });
    }
    return boxes;
}

// Of "Blocks 7 – 12": 6.
int blocksIn(const ColumnBox& box)
{
    const bool one = box.title.rfind("Block ", 0) == 0;
    if (!one && box.title.rfind("Blocks ", 0) != 0) {
        return 0;
    }
    const int first = std::atoi(box.title.c_str() + (one ? 6 : 7));
    const std::size_t dash = box.title.find("\xE2\x80\x93");
    return one ? 1 : std::atoi(box.title.c_str() + dash + 3) - first + 1;
}

TEST(StackColumns, ADesignBesideItselfIsEqualRowByRow)
{
    for (const Preset& preset : presets()) {
        const ModelAndStack stack = stackOf(*presetNamed(preset.id));

        const std::vector<ColumnGroup> groups = groupsOf(stack, stack);

        for (const ColumnGroup& group : groups) {
            ASSERT_EQ(group.boxes.size(), 1U) << preset.id;
            EXPECT_EQ(group.boxes[0].mark, Mark::equal) << group.boxes[0].text();
            EXPECT_EQ(group.boxes[0].row, group.firstRow) << preset.id;
            EXPECT_EQ(group.boxes[0].changes, "") << preset.id;
        }
    }
}

TEST(StackColumns, EveryPairOfPresetsIsAligned)
{
    std::vector<ModelAndStack> stacks;
    for (const Preset& preset : presets()) {
        stacks.push_back(stackOf(*presetNamed(preset.id)));
    }
    for (const ModelAndStack& live : stacks) {
        for (const ModelAndStack& beside : stacks) {
            const std::string pair =
                beside.scenario.model.name + " beside " + live.scenario.model.name;
            const std::vector<ColumnGroup> groups = groupsOf(live, beside);
            const std::vector<ColumnSpan> alone = spansOf(live);
            const ColumnLayout layout = columnLayout(groups, alone, kGap, kMin);
            const std::vector<ColumnSpan> rows = moved(alone, layout);

            int next = 0;
            int blocks = 0;
            std::size_t box = 0;
            double end = 0.0;
            for (const ColumnGroup& group : groups) {
                EXPECT_EQ(group.firstRow, next) << pair;
                ASSERT_FALSE(group.boxes.empty()) << pair;
                next += group.rows;
                const double top = layout.boxes[box].top;
                for (const ColumnBox& each : group.boxes) {
                    const ColumnSpan& span = layout.boxes[box++];
                    EXPECT_GE(span.top, end) << pair << ": boxes overlap";
                    EXPECT_GE(span.height(), kMin * (1.0 - 1e-9)) << pair;
                    EXPECT_GE(each.row, each.mark == Mark::removed ? -1 : group.firstRow) << pair;
                    EXPECT_LT(each.row, next) << pair;
                    EXPECT_EQ(each.changes.empty(), each.mark != Mark::changed) << each.text();
                    blocks += each.mark == Mark::added ? 0 : blocksIn(each);
                    end = span.bottom;
                }
                if (group.rows > 0) {
                    const auto first = static_cast<std::size_t>(group.firstRow);
                    EXPECT_NEAR(top, rows[first].top, 1e-6) << pair;
                    EXPECT_GE(end, rows[static_cast<std::size_t>(next) - 1].bottom - 1e-6) << pair;
                }
            }
            EXPECT_EQ(next, static_cast<int>(rows.size())) << pair << ": rows are left out";
            EXPECT_EQ(blocks, beside.scenario.model.layers()) << pair;
            ASSERT_EQ(box, layout.boxes.size()) << pair;
            for (std::size_t row = 1; row < rows.size(); ++row) {
                EXPECT_GE(rows[row].top, rows[row - 1].bottom + kGap - 1e-6) << pair;
            }
        }
    }
}

TEST(StackColumns, MarksWhatIsAddedRemovedAndChanged)
{
    Model before = *presetNamed("gpt2");
    Model after = before;
    after.runs[0].repeat = 6;
    after.runs.push_back({.block = after.runs[0].block, .repeat = 8});
    get<DenseFfn>(after.runs[1].block.ffn).dFf = 2048;
    const ModelAndStack live = stackOf(after);
    const ModelAndStack beside = stackOf(before);

    const std::vector<ColumnBox> changed = boxesOf(groupsOf(live, beside), Mark::changed);
    ASSERT_EQ(changed.size(), 1U);
    EXPECT_EQ(changed[0].title, "Blocks 7 \xE2\x80\x93 12");
    EXPECT_THAT(changed[0].changes, testing::HasSubstr("3072 \xE2\x86\x92 2048"));
    EXPECT_EQ(changed[0].text().front(), '~');

    const std::vector<ColumnBox> added = boxesOf(groupsOf(live, beside), Mark::added);
    ASSERT_EQ(added.size(), 1U);
    EXPECT_EQ(added[0].parts, "");
    EXPECT_EQ(added[0].sign(), "+");
    const std::vector<ColumnBox> removed = boxesOf(groupsOf(beside, live), Mark::removed);
    ASSERT_EQ(removed.size(), 1U);
    EXPECT_EQ(removed[0].row, -1);
    EXPECT_EQ(removed[0].sign(), "\xE2\x88\x92");
}

TEST(StackColumns, TheLiveStackGivesWayForWhatItDoesNotHave)
{
    const std::vector<ColumnGroup> groups{
        {.firstRow = 0, .rows = 1, .boxes = {{.title = "one", .row = 0}}},
        {.firstRow = 1, .boxes = {{.mark = Mark::removed, .title = "two"}}},
        {.firstRow = 1, .rows = 1, .boxes = {{.title = "three", .row = 1}}}};
    const std::vector<ColumnSpan> rows{{0.0, 40.0}, {46.0, 86.0}};

    const ColumnLayout layout = columnLayout(groups, rows, 6.0, 30.0);

    EXPECT_EQ(layout.before, (std::vector<double>{0.0, 36.0, 0.0}));
    EXPECT_EQ(layout.boxes, (std::vector<ColumnSpan>{{0.0, 40.0}, {46.0, 76.0}, {82.0, 122.0}}));
}

TEST(StackColumns, NothingBesideMovesNothing)
{
    const ColumnLayout layout = columnLayout({}, {}, 6.0, 30.0);

    EXPECT_EQ(layout.before, std::vector<double>{0.0});
    EXPECT_TRUE(layout.boxes.empty());
}

} // namespace
} // namespace flopsmith
