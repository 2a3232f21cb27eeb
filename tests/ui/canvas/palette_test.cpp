// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/palette/palette.h"

#include "core/ffn/composed.h"
#include "core/model/presets.h"
#include "ui/canvas/stack_view.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QSet>
#include <QSignalSpy>
#include <QTest>

namespace flopsmith::ui {
namespace {

class PaletteTest : public testing::Test
{
protected:
    PaletteButton& button(const char* key)
    {
        for (PaletteButton* candidate : palette.buttons()) {
            if (candidate->entry().key == QLatin1String(key)) {
                return *candidate;
            }
        }
        ADD_FAILURE() << "no palette entry " << key;
        return *palette.buttons().front();
    }

    const Block& block(std::size_t run) { return document.model().runs.at(run).block; }

    Document document{Scenario{.model = *presetNamed("gpt2-half-swapped")}};
    Palette palette{document};
};

TEST_F(PaletteTest, HasEveryRegisteredVariant)
{
    QSet<QString> keys;
    for (const PaletteButton* each : palette.buttons()) {
        EXPECT_FALSE(keys.contains(each->entry().key));
        EXPECT_FALSE(each->accessibleName().isEmpty());
        keys << each->entry().key;
    }

    for (const MixerSpec& mixer : mixerPrototypes()) {
        EXPECT_TRUE(keys.contains(QLatin1String("mixer/") + info(mixer).id.data()));
    }
    for (const FfnSpec& ffn : ffnPrototypes()) {
        EXPECT_TRUE(keys.contains(QLatin1String("ffn/") + info(ffn).id.data()));
    }
}

TEST_F(PaletteTest, AClickReplacesTheFfnOfTheSelectedRunInOneStep)
{
    document.select(Selection::ofRun(1));

    QTest::mouseClick(&button("ffn/gated"), Qt::LeftButton);

    EXPECT_TRUE(holds_alternative<GatedFfn>(block(1).ffn));
    EXPECT_TRUE(holds_alternative<DenseFfn>(block(0).ffn));
    EXPECT_EQ(document.undoStack().count(), 1);
}

TEST_F(PaletteTest, EnterDoesWhatAClickDoes)
{
    document.select(Selection::ofRun(0));

    QTest::keyClick(&button("stage/spectral"), Qt::Key_Return);

    EXPECT_EQ(get<ComposedFfn>(block(0).ffn).stages.size(), 2U);
}

TEST_F(PaletteTest, ChoosingTheVariantThatIsThereKeepsItsNumbers)
{
    document.select(Selection::ofRun(0));

    QTest::mouseClick(&button("ffn/dense"), Qt::LeftButton);

    EXPECT_EQ(document.undoStack().count(), 0);
}

class StackViewTest : public testing::Test
{
protected:
    StackViewTest()
    {
        view.resize(600, 600);
        view.show();
        QTest::qWait(0);
    }

    QPoint middleOf(std::size_t row)
    {
        return view.mapFromScene(view.geometryOfStack().rows.at(row).frame.center());
    }

    static const PaletteEntry& entry(const char* key)
    {
        return *paletteEntry(QString::fromLatin1(key));
    }

    Document document{Scenario{.model = *presetNamed("gpt2-half-swapped")}};
    StackView view{document};
};

TEST_F(StackViewTest, ShowsEmbeddingRunsNormAndHead)
{
    ASSERT_EQ(view.picture().rows.size(), 5U);
    EXPECT_EQ(view.picture().rows[1].repeat, 6);
}

TEST_F(StackViewTest, NothingOverlapsAtAnyWidth)
{
    for (const int width : {320, 400, 560, 900, 1600}) {
        view.resize(width, 600);
        const StackGeometry& geometry = view.geometryOfStack();
        for (const RowGeometry& row : geometry.rows) {
            for (const PartGeometry& part : row.parts) {
                EXPECT_LE(part.title.right(), part.bar.left()) << width;
                EXPECT_LE(part.detail.right(), part.bar.left()) << width;
                EXPECT_LE(part.bar.right(), part.value.left()) << width;
                EXPECT_LE(part.value.right(), row.frame.right()) << width;
                EXPECT_GT(part.title.width(), 40.0) << width;
            }
        }
    }
}

TEST_F(StackViewTest, AClickSelects)
{
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, middleOf(0));
    EXPECT_EQ(document.selection(), Selection::of(Selection::Part::embedding));

    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, middleOf(2));
    EXPECT_EQ(document.selection(), Selection::ofRun(1));
}

TEST_F(StackViewTest, ArrowKeysWalkThroughTheRows)
{
    document.select(Selection::ofRun(0));

    QTest::keyClick(&view, Qt::Key_Down);
    EXPECT_EQ(document.selection(), Selection::ofRun(1));
    QTest::keyClick(&view, Qt::Key_End);
    EXPECT_EQ(document.selection(), Selection::of(Selection::Part::head));
    QTest::keyClick(&view, Qt::Key_Home);
    EXPECT_EQ(document.selection(), Selection::of(Selection::Part::embedding));
}

TEST_F(StackViewTest, ADroppedFfnReplacesTheOneBelowThePointer)
{
    EXPECT_TRUE(view.drops().drop(entry("ffn/spectral"), middleOf(1), Extent::wholeRun));

    EXPECT_TRUE(holds_alternative<SpectralFfn>(document.model().runs[0].block.ffn));
    EXPECT_EQ(document.selection(), Selection::ofRun(0));
}

TEST_F(StackViewTest, ADropOnWhatIsNoBlockIsRefused)
{
    EXPECT_FALSE(view.drops().drop(entry("ffn/spectral"), middleOf(0), Extent::wholeRun));
    EXPECT_EQ(document.undoStack().count(), 0);
}

TEST_F(StackViewTest, ADropAtTheEndAddsABlock)
{
    const QPoint end = view.mapFromScene(view.geometryOfStack().dropZone.center());

    EXPECT_TRUE(view.drops().drop(entry("ffn/dense"), end, Extent::wholeRun));

    EXPECT_EQ(document.model().layers(), 13);
    EXPECT_TRUE(holds_alternative<DenseFfn>(document.model().runs.back().block.ffn));
}

TEST_F(StackViewTest, AFullModelRefusesOneBlockMoreInsteadOfCuttingOthers)
{
    Model full = document.model();
    full.runs.front().repeat += kMaxLayers - full.layers();
    document.start(Scenario{.model = full});
    document.select(Selection::ofRun(0));
    const PaletteEntry& entry = *paletteEntry(QStringLiteral("ffn/gated"));
    const QSignalSpy refused(&document, &Document::changeRefused);

    appendEntry(document, entry);
    view.actionsOfStack().patterns().more().trigger();

    ASSERT_EQ(refused.count(), 2);
    for (const QList<QVariant>& sentence : refused) {
        EXPECT_TRUE(sentence.front().toString().contains(QLatin1String("4097 layers")));
    }
    EXPECT_TRUE(
        whyNotInserted(document.scenario(), entry, 1).contains(QLatin1String("4097 layers")));
    EXPECT_EQ(document.model(), full);
}

TEST_F(StackViewTest, ActionsFollowWhatIsPossible)
{
    StackActions& actions = view.actionsOfStack();
    document.select(Selection::ofRun(0));
    EXPECT_FALSE(actions.moveUp().isEnabled());
    EXPECT_TRUE(actions.moveDown().isEnabled());

    document.select(Selection::of(Selection::Part::head));
    EXPECT_FALSE(actions.remove().isEnabled());
    EXPECT_FALSE(actions.duplicate().isEnabled());

    document.select(Selection::ofRun(0));
    actions.remove().trigger();
    EXPECT_EQ(document.model().runs.size(), 1U);
    EXPECT_FALSE(actions.remove().isEnabled()); // a stack needs a block
}

TEST_F(StackViewTest, ThePictureFollowsTheDocument)
{
    document.select(Selection::ofRun(1));
    view.actionsOfStack().split().trigger();
    view.refresh();

    EXPECT_EQ(view.picture().rows.size(), 6U);
    EXPECT_EQ(document.selection(), Selection::ofRun(2));
}

} // namespace
} // namespace flopsmith::ui
