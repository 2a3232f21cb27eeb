// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "tests/support/patterned.h"
#include "ui/canvas/entries/typed_entries.h"
#include "ui/canvas/stack_view.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QLineEdit>
#include <QTest>

#include <utility>

namespace flopsmith::ui {
namespace {

class EntryChooserTest : public testing::Test
{
protected:
    EntryChooserTest()
    {
        view.resize(700, 600);
        view.show();
        view.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&view));
        view.setFocus();
        document.select(Selection::ofRun(0));
    }

    // Presses a key in the stack and types into the list that it opens.
    QLineEdit& typed(Qt::Key key, const QString& query)
    {
        QTest::keyClick(&view, key);
        auto* list = view.findChild<TypedList*>(QStringLiteral("stack.chooser"));
        EXPECT_TRUE(list != nullptr && list->isVisible() && list->box().hasFocus());
        QTest::keyClicks(&list->box(), query);
        return list->box();
    }

    const TypedList& list() { return *view.findChild<TypedList*>(); }
    const BlockRun& run(std::size_t index) { return document.model().runs.at(index); }

    Document document{Scenario{.model = *presetNamed("gpt2-half-swapped")}};
    StackView view{document};
};

TEST_F(EntryChooserTest, TypingInsertsABlockBehindTheSelectedRun)
{
    QTest::keyClick(&typed(Qt::Key_A, QStringLiteral("swi")), Qt::Key_Return);

    ASSERT_EQ(document.model().runs.size(), 3U);
    EXPECT_TRUE(holds_alternative<GatedFfn>(run(1).block.ffn));
    EXPECT_EQ(run(1).repeat, 1);
    EXPECT_EQ(document.selection(), Selection::ofRun(1));
    EXPECT_EQ(document.undoStack().count(), 1);
    EXPECT_TRUE(view.hasFocus());
}

TEST_F(EntryChooserTest, ATypedNumberInsertsSoManyBlocks)
{
    QTest::keyClick(&typed(Qt::Key_A, QStringLiteral("swi x3")), Qt::Key_Return);
    EXPECT_TRUE(holds_alternative<GatedFfn>(run(1).block.ffn));
    EXPECT_EQ(run(1).repeat, 3);

    QTest::keyClick(&typed(Qt::Key_A, QStringLiteral("2 kronecker")), Qt::Key_Return);
    EXPECT_TRUE(holds_alternative<KroneckerFfn>(run(2).block.ffn));
    EXPECT_EQ(run(2).repeat, 2);
    EXPECT_EQ(document.undoStack().count(), 2);
}

TEST_F(EntryChooserTest, BlocksLikeTheSelectedOnesMakeTheirRunLonger)
{
    const int before = run(0).repeat;
    QTest::keyClick(&typed(Qt::Key_A, QStringLiteral("dense")), Qt::Key_Return);
    EXPECT_EQ(run(0).repeat, before + 1);
    QTest::keyClick(&typed(Qt::Key_A, QStringLiteral("dense x3")), Qt::Key_Return);
    EXPECT_EQ(run(0).repeat, before + 4);
    EXPECT_EQ(document.model().runs.size(), 2U);
}

TEST_F(EntryChooserTest, MoreBlocksThanAModelMayHaveAreRefused)
{
    QTest::keyClick(&typed(Qt::Key_A, QStringLiteral("swi x9999")), Qt::Key_Return);
    EXPECT_EQ(document.undoStack().count(), 0);
    EXPECT_TRUE(list().note().contains(QLatin1String("10011 layers"))) << qPrintable(list().note());
}

TEST_F(EntryChooserTest, InAFullModelEveryInsertionSaysHowManyLayersItWouldMake)
{
    Model model = flopsmith::test::patterned(3); // 12 layers
    model.runs.front().repeat += kMaxLayers - 14; // 2 are free, and a pattern needs 3
    document.start(Scenario{.model = model});
    for (const auto& [index, isRefused] : {std::pair(0, false), std::pair(1, true)}) {
        document.select(Selection::ofRun(index));
        for (const TypedEntry& entry : insertionEntries(document)) {
            const bool tellsLayers = entry.refusal.contains(QLatin1String("4097 layers"));
            EXPECT_TRUE(tellsLayers == isRefused || entry.refusal.contains(QLatin1String("encoder"))
                        || entry.id == QLatin1String("copy/run"))
                << qPrintable(entry.id) << qPrintable(entry.refusal);
        }
    }
}

TEST_F(EntryChooserTest, TypingReplacesAPartOfTheSelectedRun)
{
    QTest::keyClick(&typed(Qt::Key_R, QStringLiteral("fourier mixer")), Qt::Key_Return);

    ASSERT_EQ(document.model().runs.size(), 2U);
    EXPECT_TRUE(holds_alternative<FourierMixer>(run(0).block.mixer));
    EXPECT_TRUE(holds_alternative<DenseFfn>(run(0).block.ffn));
    EXPECT_EQ(document.undoStack().count(), 1);
}

TEST_F(EntryChooserTest, OfSeveralRunsAllAreReplacedInOneStep)
{
    document.select(Selection::ofRuns({0, 1}, 0));
    QTest::keyClick(&typed(Qt::Key_R, QStringLiteral("fourier mixer")), Qt::Key_Return);

    for (const std::size_t index : {0U, 1U}) {
        EXPECT_TRUE(holds_alternative<FourierMixer>(run(index).block.mixer));
    }
    EXPECT_EQ(document.selection().runs(), (std::vector<int>{0, 1}));
    EXPECT_EQ(document.undoStack().count(), 1);
}

TEST_F(EntryChooserTest, OfSeveralRunsTheLastIsFollowedByTheNewBlock)
{
    document.select(Selection::ofRuns({0, 1}, 0));
    QTest::keyClick(&typed(Qt::Key_A, QStringLiteral("swi")), Qt::Key_Return);

    ASSERT_EQ(document.model().runs.size(), 3U);
    EXPECT_TRUE(holds_alternative<GatedFfn>(run(2).block.ffn));
    EXPECT_EQ(document.selection(), Selection::ofRun(2));
}

TEST_F(EntryChooserTest, EscapeLeavesTheDocumentAsItWas)
{
    for (const Qt::Key key : {Qt::Key_A, Qt::Key_R}) {
        QTest::keyClick(&typed(key, QStringLiteral("gated")), Qt::Key_Escape);

        EXPECT_FALSE(list().isVisible());
        EXPECT_TRUE(view.hasFocus());
        EXPECT_EQ(document.undoStack().count(), 0);
    }
}

TEST_F(EntryChooserTest, WhatHasNoPlaceSaysWhyAndDoesNothing)
{
    QLineEdit& box = typed(Qt::Key_A, QStringLiteral("cross"));

    EXPECT_TRUE(list().note().contains(QLatin1String("no encoder")));
    QTest::keyClick(&box, Qt::Key_Return);

    EXPECT_TRUE(list().isVisible());
    EXPECT_EQ(document.undoStack().count(), 0);
}

TEST_F(EntryChooserTest, EveryEntryThatIsOfferedIsOneStepOrNone)
{
    const Scenario before = document.scenario();
    for (auto* entriesOf : {&insertionEntries, &replacementEntries}) {
        for (const TypedEntry& entry : entriesOf(document)) {
            if (!entry.refusal.isEmpty()) {
                continue;
            }
            entry.run();

            EXPECT_EQ(document.undoStack().index(), 1) << qPrintable(entry.id);
            document.undoStack().undo();
            EXPECT_EQ(document.scenario(), before) << qPrintable(entry.id);
        }
    }
}

class PatternChooserTest : public EntryChooserTest
{
protected:
    PatternChooserTest()
    {
        document.start(Scenario{.model = test::patterned(), .workload = {}});
        document.select(Selection::ofRuns({1, 2}, 1)); // one period
        view.refresh();
    }
};

TEST_F(PatternChooserTest, BehindAPatternThatIsSelectedAsAWhole)
{
    const Model before = document.model();
    const Pattern pattern = before.patterns.front();

    QTest::keyClick(&typed(Qt::Key_A, QStringLiteral("kronecker x2")), Qt::Key_Return);

    ASSERT_EQ(document.model().layers(), before.layers() + 2);
    EXPECT_EQ(document.model().patterns.front(), pattern) << "its own blocks are as they were";
    const int added = pattern.end();
    EXPECT_TRUE(holds_alternative<KroneckerFfn>(run(static_cast<std::size_t>(added)).block.ffn));
    EXPECT_EQ(run(static_cast<std::size_t>(added)).repeat, 2);
    EXPECT_EQ(document.selection(), Selection::ofRun(added));
    document.undoStack().undo();
    EXPECT_EQ(document.model(), before);
}

TEST_F(PatternChooserTest, ShiftAInsertsIntoEachOfItsRepeats)
{
    const Model before = document.model();
    const int times = before.patterns.front().times;

    QTest::keyClick(&view, Qt::Key_A, Qt::ShiftModifier);
    QTest::keyClicks(&view.findChild<TypedList*>()->box(), QStringLiteral("kronecker"));
    QTest::keyClick(&view.findChild<TypedList*>()->box(), Qt::Key_Return);

    EXPECT_EQ(document.model().layers(), before.layers() + times);
    EXPECT_EQ(document.model().patterns.front().length, 3);
    EXPECT_EQ(document.model().patterns.front().times, times);
}

TEST_F(PatternChooserTest, ShiftAIsForAWholePatternAlone)
{
    QAction& into = view.actionsOfStack().insertInto();
    EXPECT_TRUE(into.isEnabled());
    document.select(Selection::ofRun(1));
    EXPECT_FALSE(into.isEnabled());
    document.select(Selection::ofRuns({0, 1, 2}, 0));
    EXPECT_FALSE(into.isEnabled());
    EXPECT_FALSE(into.property("disabledReason").toString().isEmpty());
}

// Rows: embedding, plain, A, B. The blocks land behind B, and there the list opens.
TEST_F(PatternChooserTest, TheListOpensWhereTheBlocksWillLand)
{
    typed(Qt::Key_A, QString());

    const QRectF last = view.geometryOfStack().rows.at(3).frame;
    const int bottom =
        view.viewport()->mapTo(view.window(), view.mapFromScene(last.bottomLeft())).y();
    EXPECT_NEAR(list().mapTo(view.window(), QPoint()).y(), bottom, 24);
}

TEST_F(EntryChooserTest, WhereNoBlocksAreSelectedNothingIsInserted)
{
    document.select(Selection::of(Selection::Part::embedding));

    EXPECT_FALSE(view.actionsOfStack().insert().isEnabled());
    EXPECT_FALSE(view.actionsOfStack().replace().isEnabled());
}

} // namespace
} // namespace flopsmith::ui
