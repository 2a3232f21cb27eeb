// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/document/scenarios.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/parameter_edit.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

namespace flopsmith::ui {
namespace {

using test::halfSwapped;
using test::parameter;

class StepCostTest : public testing::Test
{
protected:
    Count flops() const { return *document.costSummary().flops; }

    Count change(int step) const
    {
        const std::optional<StepCost> cost = document.history().stepCost(step, document.lens());
        return cost ? *cost->after - *cost->before : 0;
    }

    void takeSteps()
    {
        setParameter(document, parameter(document, "seq"), std::int64_t{256});
        replaceModel(document, *presetNamed("llama-3-8b"));
        renameModel(document, QStringLiteral("mine"));
        replaceModel(document, *presetNamed("gpt2-medium"));
    }

    Document document{halfSwapped()};
};

TEST_F(StepCostTest, ChangesAddUpToTheWholeChange)
{
    const Count first = flops();
    takeSteps();
    ASSERT_EQ(document.undoStack().count(), 4);

    Count sum = 0;
    for (int step = 0; step < document.undoStack().count(); ++step) {
        sum += change(step);
    }

    EXPECT_TRUE(sum == flops() - first);
    EXPECT_TRUE(change(2) == 0); // a name costs nothing
    EXPECT_TRUE(change(1) > 0);
}

TEST_F(StepCostTest, AnUndoneStepKeepsItsCost)
{
    takeSteps();
    const Count last = change(3);
    document.undoStack().setIndex(0);

    EXPECT_TRUE(change(3) == last);
    EXPECT_TRUE(document.history().stepCost(0, document.lens())->before == flops());
    EXPECT_FALSE(document.history().stepCost(4, document.lens()).has_value());
    EXPECT_FALSE(document.history().stepCost(-1, document.lens()).has_value());
}

TEST_F(StepCostTest, FollowsTheLens)
{
    takeSteps();
    for (const LensId id : {LensId::exact, LensId::matmul, LensId::mac}) {
        document.setLens(id);
        EXPECT_TRUE(document.history().stepCost(3, document.lens())->after == flops())
            << static_cast<int>(id);
    }
}

TEST_F(StepCostTest, IsCountedWhenTheGestureIsOver)
{
    QSignalSpy ended(&document.history(), &EditHistory::gestureEnded);
    const Parameter length = parameter(document, "seq");
    document.history().beginGesture();
    setParameter(document, length, std::int64_t{256});
    EXPECT_FALSE(document.history().stepCost(0, document.lens()).has_value());
    setParameter(document, length, std::int64_t{128});
    document.history().endGesture();
    document.history().endGesture();

    EXPECT_EQ(ended.count(), 1);
    ASSERT_EQ(document.undoStack().count(), 1);
    EXPECT_TRUE(document.history().stepCost(0, document.lens())->after == flops());
}

} // namespace
} // namespace flopsmith::ui
