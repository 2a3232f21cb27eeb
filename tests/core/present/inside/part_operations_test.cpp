// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/inside/part_operations.h"

#include "core/model/presets.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

TEST(PartOperations, HaveTheSharesOfEveryPartOfEveryPreset)
{
    for (const Preset& preset : presets()) {
        const Scenario scenario{.model = preset.make()};
        const CostTree<Count> tree = costTree(scenario);
        const StackPicture stack = stackPicture(scenario, tree, LensId::exact);
        for (const StackRow& row : stack.rows) {
            if (row.kind != StackRow::Kind::run) {
                continue;
            }
            const Block& block = scenario.model.runs[static_cast<std::size_t>(row.run)].block;
            const InsidePicture inside = insidePicture(scenario, tree, LensId::exact, row.run);
            for (const StackPart& part : row.parts) {
                double sum = 0.0;
                for (const PartOperation& each : partOperations(inside, block, part.role)) {
                    sum += each.share;
                }
                EXPECT_NEAR(sum, part.bar.value > 0.0 ? 1.0 : 0.0, 1e-9)
                    << preset.title << " " << part.title;
            }
        }
    }
}

TEST(PartOperations, AreToldInTheOrderOfExecution)
{
    const Scenario scenario{.model = *presetNamed("gpt2")};
    const InsidePicture inside = insidePicture(scenario, costTree(scenario), LensId::exact, 0);
    const auto operations =
        partOperations(inside, scenario.model.runs.front().block, PartRole::ffn);
    const std::string text = operationsText(operations);

    ASSERT_FALSE(operations.empty());
    EXPECT_EQ(text.find(operations.front().text), 0U);
    EXPECT_LT(text.find("c_fc"), text.find("c_proj"));
    EXPECT_TRUE(partOperations(inside, scenario.model.runs.front().block, PartRole::head).empty());
}

TEST(PartOperations, AMutedPartHasNone)
{
    Scenario scenario{.model = *presetNamed("gpt2")};
    Block& block = scenario.model.runs.front().block;
    block.ffnMuted = true;
    const InsidePicture inside = insidePicture(scenario, costTree(scenario), LensId::exact, 0);

    EXPECT_TRUE(partOperations(inside, block, PartRole::ffn).empty());
    EXPECT_FALSE(partOperations(inside, block, PartRole::mixer).empty());
}

} // namespace
} // namespace flopsmith
