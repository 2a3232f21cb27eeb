// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/gated.h"
#include "core/model/tree_path.h"
#include "tests/ui/document/scenarios.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/scenario_edit.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

namespace flopsmith::ui {
namespace {

using test::halfSwapped;

class OperationTest : public testing::Test
{
protected:
    void setPhase(Phase phase)
    {
        document.apply({},
                       [phase](DocumentState& state) { state.scenario.workload.phase = phase; });
    }

    Document document{halfSwapped()};
};

TEST_F(OperationTest, EveryPathOfTheTreeCanBeSelected)
{
    for (const Phase phase : {Phase::prefill, Phase::train}) {
        setPhase(phase);
        for (int i = 1; i < document.costTree().size(); ++i) {
            const std::string path = document.costTree().path(i);
            document.selectOperation(path);
            EXPECT_EQ(document.operation(), path);
        }
    }
    EXPECT_EQ(document.undoStack().count(), 1); // the phase
}

TEST_F(OperationTest, ItsRunOrPartIsSelectedWithIt)
{
    document.selectOperation("blocks[0]/ffn");
    EXPECT_EQ(document.selection().current(), Selection::ofRun(0));
    document.selectOperation("blocks[6]/ffn");
    EXPECT_EQ(document.selection().current(), Selection::ofRun(1));
    document.selectOperation("embedding");
    EXPECT_EQ(document.selection().current(), Selection::of(Selection::Part::embedding));
    document.selectOperation("final_norm");
    EXPECT_EQ(document.selection().current(), Selection::of(Selection::Part::finalNorm));
    document.selectOperation("head");
    EXPECT_EQ(document.selection().current(), Selection::of(Selection::Part::head));
}

TEST_F(OperationTest, ChangesAreSaidOnceAndOnlyIfTheyAreSome)
{
    document.select(Selection::ofRun(0));
    const QSignalSpy runs(&document, &Document::selectionChanged);
    const QSignalSpy operations(&document, &Document::operationChanged);

    document.selectOperation("blocks[0]/ffn");
    document.selectOperation("blocks[0]/ffn");
    EXPECT_EQ(runs.count(), 0);
    EXPECT_EQ(operations.count(), 1);

    document.selectOperation("blocks[6]/attention/scores");
    EXPECT_EQ(runs.count(), 1);
    EXPECT_EQ(operations.count(), 2);

    document.selectOperation({});
    EXPECT_EQ(runs.count(), 1);
    EXPECT_EQ(operations.count(), 3);
    EXPECT_EQ(document.selection(), Selection::ofRun(1));
}

TEST_F(OperationTest, ARunThatIsSelectedItselfHasNoOperation)
{
    document.selectOperation("blocks[0]/ffn");
    document.select(Selection::ofRun(0));
    EXPECT_EQ(document.operation(), "");
}

TEST_F(OperationTest, WhatTheModelLosesLeavesThePartAroundIt)
{
    document.selectOperation("blocks[0]/ffn/c_fc");
    document.apply(
        {}, [](DocumentState& state) { state.scenario.model.runs.front().block.ffn = GatedFfn{}; });
    EXPECT_EQ(document.operation(), "blocks[0]/ffn");

    document.undoStack().undo();
    EXPECT_EQ(document.operation(), "blocks[0]/ffn/c_fc");
}

TEST_F(OperationTest, ItFollowsItsRunAndItsPass)
{
    document.selectOperation("blocks[6]/attention/scores");
    document.apply({}, [](DocumentState& state) { state.scenario.model.runs.front().repeat = 2; });
    EXPECT_EQ(document.operation(), "blocks[2]/attention/scores");

    setPhase(Phase::train);
    EXPECT_EQ(document.operation(), "forward/blocks[2]/attention/scores");
    document.selectOperation("backward/blocks[2]/attention");
    setPhase(Phase::prefill);
    EXPECT_EQ(document.operation(), "blocks[2]/attention");
}

TEST_F(OperationTest, AnotherModelHasNone)
{
    document.selectOperation("blocks[0]/ffn");
    replaceModel(document, *presetNamed("llama-3-8b"));
    EXPECT_EQ(document.operation(), "");
}

TEST_F(OperationTest, AnUnknownPathIsThePartAroundIt)
{
    document.selectOperation("blocks[0]/ffn/none");
    EXPECT_EQ(document.operation(), "blocks[0]/ffn");
    document.selectOperation("none");
    EXPECT_EQ(document.operation(), "");
}

} // namespace
} // namespace flopsmith::ui
