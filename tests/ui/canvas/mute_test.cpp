// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "tests/ui/menu_entries.h"
#include "ui/canvas/stack_view.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QMenu>

namespace flopsmith::ui {
namespace {

class MuteTest : public testing::Test
{
protected:
    MuteTest()
    {
        document.setLens(LensId::matmul);
        document.select(Selection::ofRun(0));
    }

    const Block& block() { return document.model().runs.front().block; }

    Document document{Scenario{.model = *presetNamed("gpt2")}};
    StackView view{document};
    StackActions& actions = view.actionsOfStack();
};

TEST_F(MuteTest, IsOneStepThatUndoTakesBack)
{
    const Scenario before = document.scenario();

    actions.muteFfn().trigger();

    EXPECT_TRUE(block().ffnMuted);
    EXPECT_EQ(block().ffn, before.model.runs.front().block.ffn);
    EXPECT_TRUE(actions.muteFfn().isChecked());
    EXPECT_EQ(document.undoStack().count(), 1);

    document.undoStack().undo();
    EXPECT_EQ(document.scenario(), before);
    EXPECT_FALSE(actions.muteFfn().isChecked());
}

TEST_F(MuteTest, SaysWhatTheModelCostsWithoutThePart)
{
    actions.muteFfn().trigger();
    EXPECT_EQ(document.notice().text,
              QStringLiteral("FFN of 12 blocks muted: \u2212116.0 GFLOPs (\u221239.8 %)"));

    actions.muteFfn().trigger();
    EXPECT_EQ(document.notice().text,
              QStringLiteral("FFN of 12 blocks unmuted: +116.0 GFLOPs (+66.0 %)"));
}

TEST_F(MuteTest, IsHeardInTheAccessibleText)
{
    EXPECT_FALSE(view.accessibleDescription().contains(QStringLiteral("muted")));

    actions.muteMixer().trigger();
    view.refresh();

    EXPECT_TRUE(view.accessibleDescription().contains(QStringLiteral("Attention muted")));
    EXPECT_FALSE(view.accessibleDescription().contains(QStringLiteral("FFN muted")));
}

TEST_F(MuteTest, IsOfferedWhereThereIsSuchAPart)
{
    EXPECT_TRUE(actions.muteFfn().isEnabled());
    EXPECT_FALSE(actions.muteCross().isEnabled());

    document.select(Selection::of(Selection::Part::head));
    EXPECT_FALSE(actions.muteFfn().isEnabled());
    EXPECT_FALSE(actions.muteMixer().isEnabled());

    document.start({.model = *presetNamed("t5-small")});
    EXPECT_TRUE(actions.muteCross().isEnabled());
    QMenu menu;
    actions.fill(menu);
    EXPECT_TRUE(test::entriesOf(menu).contains(&actions.muteCross()));
}

TEST_F(MuteTest, ThatIsRefusedLeavesTheCheckMark)
{
    Scenario decoding{.model = *presetNamed("fnet-base"), .workload = {.phase = Phase::decode}};
    for (BlockRun& run : decoding.model.runs) {
        run.block.mixerMuted = true;
    }
    document.start(decoding);
    ASSERT_TRUE(actions.muteMixer().isChecked());

    actions.muteMixer().trigger(); // mixes whole sequences, so nothing can be decoded

    EXPECT_EQ(document.scenario(), decoding);
    EXPECT_TRUE(actions.muteMixer().isChecked());
}

TEST_F(MuteTest, MovesNoRowOfTheStack)
{
    const auto frames = [this] {
        QList<QRectF> all;
        for (const RowGeometry& row : view.geometryOfStack().rows) {
            all << row.frame;
        }
        return all;
    };
    const QList<QRectF> before = frames();

    actions.muteMixer().trigger();
    view.refresh();

    EXPECT_EQ(frames(), before);
}

} // namespace
} // namespace flopsmith::ui
