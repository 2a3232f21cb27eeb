// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document.h"

#include "core/parameter/validation.h"
#include "tests/ui/document/scenarios.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/document/scenario_edit.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

namespace flopsmith::ui {
namespace {

using test::halfSwapped;
using test::parameter;
using test::whole;

class DocumentTest : public testing::Test
{
protected:
    void drag(const char* key, std::initializer_list<std::int64_t> values)
    {
        const Parameter dragged = parameter(document, key);
        document.history().beginGesture();
        for (const std::int64_t value : values) {
            setParameter(document, dragged, value);
        }
        document.history().endGesture();
    }

    Document document{halfSwapped()};
};

TEST_F(DocumentTest, OneDragIsOneStep)
{
    drag("k_freq", {60, 50, 40});

    EXPECT_EQ(whole(document, "k_freq"), 40);
    EXPECT_EQ(document.undoStack().count(), 1);
    document.undoStack().undo();
    EXPECT_EQ(document.scenario(), halfSwapped());
}

TEST_F(DocumentTest, TwoDragsOfOneSliderAreTwoSteps)
{
    drag("k_freq", {60, 50});
    drag("k_freq", {40, 30});

    EXPECT_EQ(document.undoStack().count(), 2);
}

TEST_F(DocumentTest, DraggingBackLeavesNoStep)
{
    drag("k_freq", {60, 50, 64});

    EXPECT_EQ(document.undoStack().count(), 0);
    EXPECT_FALSE(document.isModified());
}

TEST_F(DocumentTest, DraggingBackBringsDependentsBack)
{
    // d_model 96 has 49 bins, so k_freq 64 must give way, and come back with the width.
    const Parameter width = parameter(document, "d_model");
    document.history().beginGesture();
    setParameter(document, width, std::int64_t{96});
    const std::int64_t squeezed = whole(document, "k_freq");
    setParameter(document, width, std::int64_t{768});
    document.history().endGesture();

    EXPECT_EQ(squeezed, 49);
    EXPECT_EQ(document.scenario(), halfSwapped());
}

TEST_F(DocumentTest, AnotherSliderInTheSameGestureStartsFromWhatTheFirstLeft)
{
    document.history().beginGesture();
    setParameter(document, parameter(document, "k_freq"), std::int64_t{32});
    setParameter(document, parameter(document, "poly_degree"), std::int64_t{2});
    document.history().endGesture();

    EXPECT_EQ(whole(document, "k_freq"), 32);
    EXPECT_EQ(whole(document, "poly_degree"), 2);
    EXPECT_EQ(document.undoStack().count(), 2);
}

TEST_F(DocumentTest, SignalsComeOnlyWithChanges)
{
    const QSignalSpy scenario(&document, &Document::scenarioChanged);
    const QSignalSpy selection(&document, &Document::selectionChanged);
    const QSignalSpy lens(&document, &Document::lensChanged);

    setParameter(document, parameter(document, "k_freq"), std::int64_t{64});
    document.select(document.selection());
    document.setLens(document.lens());

    EXPECT_EQ(scenario.count() + selection.count() + lens.count(), 0);
    EXPECT_EQ(document.undoStack().count(), 0);
}

TEST_F(DocumentTest, UndoRestoresTheSelectionOfItsStep)
{
    document.select(Selection::ofRun(1));
    document.apply(QStringLiteral("delete"), [](DocumentState& state) {
        removeRuns(state.scenario, {1});
        state.selection = Selection::ofRun(1); // does not exist any more
    });
    EXPECT_EQ(document.selection(), Selection::ofRun(0));

    document.undoStack().undo();

    EXPECT_EQ(document.selection(), Selection::ofRun(1));
}

TEST_F(DocumentTest, AnIllegalChangeIsRefusedWithASentence)
{
    const QSignalSpy refused(&document, &Document::changeRefused);

    const bool taken = document.apply(QStringLiteral("delete all"), [](DocumentState& state) {
        state.scenario.model.runs.clear();
    });

    EXPECT_FALSE(taken);
    EXPECT_EQ(refused.count(), 1);
    EXPECT_EQ(document.scenario(), halfSwapped());
}

TEST_F(DocumentTest, AllEqualScopeEditsEveryEqualRun)
{
    document.apply(QStringLiteral("split"), [](DocumentState& s) { splitRun(s.scenario, 1); });
    document.select(Selection::ofRun(2));
    document.setEditScope(EditScope::allEqual);

    setParameter(document, blockParameters(document.scenario(), 2)[0], std::int64_t{5});
    for (const Parameter& p : blockParameters(document.scenario(), 2)) {
        if (p.text.key == "k_freq") {
            setParameter(document, p, std::int64_t{16});
        }
    }

    const auto& runs = document.model().runs;
    EXPECT_EQ(runs[1].block, runs[2].block);
    EXPECT_EQ(runs[1].repeat, 3);
    EXPECT_EQ(runs[2].repeat, 5);
    EXPECT_NE(runs[0].block, runs[1].block);
}

TEST_F(DocumentTest, TheCostTreeFollowsScenarioAndLens)
{
    const Count exact = *document.costSummary().flops;
    document.setLens(LensId::mac);
    const Count mac = *document.costSummary().flops;
    setParameter(document, parameter(document, "seq"), std::int64_t{512});

    EXPECT_LT(mac, exact);
    EXPECT_LT(document.costSummary().flops, mac);
}

TEST_F(DocumentTest, LoadingAPresetKeepsTheWorkloadAndIsOneStep)
{
    setParameter(document, parameter(document, "seq"), std::int64_t{256});
    replaceModel(document, *presetNamed("llama-3-8b"));

    EXPECT_EQ(whole(document, "seq"), 256);
    EXPECT_EQ(document.model().name, "Llama-3-8B");
    EXPECT_EQ(document.undoStack().count(), 2);
}

TEST_F(DocumentTest, UndoDuringADragEndsTheGesture)
{
    const Parameter dragged = parameter(document, "k_freq");
    document.history().beginGesture();
    setParameter(document, dragged, std::int64_t{32});
    document.undoStack().undo();

    EXPECT_FALSE(document.history().isInGesture());
    EXPECT_EQ(document.scenario(), halfSwapped());
}

} // namespace
} // namespace flopsmith::ui
