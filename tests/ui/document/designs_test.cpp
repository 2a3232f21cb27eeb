// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/designs.h"

#include "core/io/project/project_file.h"
#include "tests/ui/document/scenarios.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/document/edits/rule_edit.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

namespace flopsmith::ui {
namespace {

using test::halfSwapped;
using test::parameter;

Precision presetPrecision(std::string_view id)
{
    return findPreset(id)->precision();
}

class DesignsTest : public testing::Test
{
protected:
    void setSequence(std::int64_t tokens)
    {
        setParameter(document, parameter(document, "seq"), tokens);
    }

    Scenario frozen(char letter) const
    {
        const FrozenDesign* design = designs.find(letter);
        return design == nullptr ? Scenario{} : design->scenario;
    }

    Document document{halfSwapped()};
    Designs designs{document};
};

TEST_F(DesignsTest, AFrozenDesignIsTheLiveOneOfThatMoment)
{
    ASSERT_TRUE(designs.freezeLive());
    const Scenario then = document.scenario();

    replaceModel(document, *presetNamed("llama-3-8b"));
    setSequence(2048);

    EXPECT_EQ(frozen('A'), then);
    EXPECT_NE(document.scenario(), then);
}

TEST_F(DesignsTest, ASwappedDesignIsNotLedByTheTiesOfTheOther)
{
    ASSERT_TRUE(
        tieParameter(document, parameter(document, "d_ff"), QStringLiteral("2*d_model")).ok());
    ASSERT_TRUE(designs.addFrom(QStringLiteral("llama-3-8b")).ok());
    const Scenario other = frozen('A');

    designs.swapWithLive('A');

    EXPECT_EQ(document.model(), other.model);
    EXPECT_TRUE(document.rules().isEmpty());
    document.undoStack().undo();
    EXPECT_FALSE(document.rules().isEmpty());
    EXPECT_EQ(frozen('A'), other);
}

TEST_F(DesignsTest, UnknownKeysOfAModelTravelWithItWhenDesignsAreSwapped)
{
    const std::vector<KeptKey> ofFile{{"", "about", "", "1"}};
    const std::vector<KeptKey> ofModel{{"/model", "colour", "name", "2"},
                                       {"/model/blocks/1/ffn", "hint", "", "3"}};
    std::vector<KeptKey> both = ofFile;
    both.insert(both.end(), ofModel.begin(), ofModel.end());
    document.start(Project{.scenario = halfSwapped(), .kept = both});
    ASSERT_TRUE(designs.addFrom(QStringLiteral("llama-3-8b")).ok());

    designs.swapWithLive('A');
    EXPECT_EQ(document.state().kept, ofFile);
    EXPECT_EQ(designs.at(0).kept, ofModel);

    designs.swapWithLive('A');
    EXPECT_EQ(document.state().kept, both);
    EXPECT_TRUE(designs.at(0).kept.empty());

    document.undoStack().undo();
    EXPECT_EQ(document.state().kept, ofFile);
    EXPECT_EQ(designs.at(0).kept, ofModel);
}

TEST_F(DesignsTest, FreezingIsNoStepOfTheDocument)
{
    designs.freezeLive();

    EXPECT_EQ(document.undoStack().count(), 0);
    EXPECT_FALSE(document.isModified());
}

TEST_F(DesignsTest, ThereIsPlaceForThreeAndAFreedLetterIsTheNext)
{
    for (std::size_t i = 0; i < Designs::kMaxFrozen; ++i) {
        EXPECT_TRUE(designs.freezeLive());
    }
    const QSignalSpy refusals(&document, &Document::changeRefused);
    EXPECT_FALSE(designs.freezeLive());
    EXPECT_EQ(refusals.count(), 1);
    EXPECT_FALSE(designs.addFrom(QStringLiteral("gpt2")).ok());
    EXPECT_EQ(designs.nextLetter(), std::nullopt);

    designs.remove('B');
    EXPECT_EQ(designs.nextLetter(), 'B');
    EXPECT_TRUE(designs.addFrom(QStringLiteral("gpt2")).ok());

    EXPECT_EQ(designs.at(1).letter, 'B');
    EXPECT_EQ(designs.at(1).scenario.model, *presetNamed("gpt2"));
    designs.clear();
    EXPECT_TRUE(designs.isEmpty());
}

TEST_F(DesignsTest, SwappingTwiceIsTheIdentity)
{
    ASSERT_TRUE(designs.addFrom(QStringLiteral("llama-3-8b")).ok());
    const Scenario live = document.scenario();
    const Scenario other = frozen('A');

    designs.swapWithLive('A');
    EXPECT_EQ(document.scenario(), other);
    EXPECT_EQ(frozen('A'), live);
    EXPECT_EQ(document.undoStack().count(), 1);

    designs.swapWithLive('A');
    EXPECT_EQ(document.scenario(), live);
    EXPECT_EQ(frozen('A'), other);
}

TEST_F(DesignsTest, UndoAndRedoOfASwapChangeBothSides)
{
    designs.freezeLive();
    replaceModel(document, *presetNamed("llama-3-8b"));
    const Scenario live = document.scenario();
    const Scenario other = frozen('A');
    designs.swapWithLive('A');

    document.undoStack().undo();
    EXPECT_EQ(document.scenario(), live);
    EXPECT_EQ(frozen('A'), other);

    document.undoStack().redo();
    EXPECT_EQ(document.scenario(), other);
    EXPECT_EQ(frozen('A'), live);
}

TEST_F(DesignsTest, UndoingASwapLeavesLaterDesignsOfItsLetterAlone)
{
    ASSERT_TRUE(designs.addFrom(QStringLiteral("llama-3-8b")).ok());
    designs.swapWithLive('A');
    designs.remove('A');
    ASSERT_TRUE(designs.addFrom(QStringLiteral("tiny")).ok());
    const Scenario later = frozen('A');

    document.undoStack().undo();

    EXPECT_EQ(document.scenario(), halfSwapped());
    EXPECT_EQ(frozen('A'), later);
}

TEST_F(DesignsTest, APresetTakesTheLiveWorkloadAndAProjectKeepsItsOwn)
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("own.flopsmith"));
    setSequence(512);
    ASSERT_TRUE(document.file().saveAs(file).ok());
    setSequence(768);

    ASSERT_TRUE(designs.addFrom(QStringLiteral("gpt2-medium")).ok());
    ASSERT_TRUE(designs.addFrom(file).ok());
    EXPECT_TRUE(isSamePass(frozen('A').workload, document.scenario().workload));
    EXPECT_EQ(frozen('B').workload.sequence, 512);

    setSequence(256);
    EXPECT_EQ(frozen('A').workload.sequence, 256);
    EXPECT_EQ(frozen('B').workload.sequence, 512);
}

TEST_F(DesignsTest, APresetKeepsThePrecisionInWhichItIsPublished)
{
    const Precision published = presetPrecision("llama-3-8b");
    ASSERT_NE(document.scenario().workload.precision, published);
    ASSERT_TRUE(designs.addFrom(QStringLiteral("llama-3-8b")).ok());
    EXPECT_EQ(frozen('A').workload.precision, published);

    setSequence(256);

    EXPECT_EQ(frozen('A').workload.precision, published);
    EXPECT_EQ(frozen('A').workload.sequence, 256);
    EXPECT_EQ(ownPrecisions(document.scenario().workload.precision, designs.others()),
              designs.others().front().name + " in 16 bit");
}

TEST_F(DesignsTest, DroppingThemIsAStepThatLeavesTheDocumentUnmodified)
{
    designs.freezeLive();
    ASSERT_TRUE(designs.addFrom(QStringLiteral("llama-3-8b")).ok());
    const std::vector<Scenario> before{frozen('A'), frozen('B')};
    QUndoStack& steps = document.undoStack();

    designs.dropAll();
    EXPECT_TRUE(designs.isEmpty());
    EXPECT_FALSE(document.isModified());

    steps.undo();
    EXPECT_EQ((std::vector<Scenario>{frozen('A'), frozen('B')}), before);
    steps.redo();
    EXPECT_TRUE(designs.isEmpty());
    steps.undo();

    designs.drop('A');
    EXPECT_EQ(designs.size(), 1U);
    setSequence(256);
    EXPECT_TRUE(document.isModified());
    steps.undo();
    EXPECT_FALSE(document.isModified());
    steps.undo();
    EXPECT_EQ(frozen('A'), before.front());
}

TEST_F(DesignsTest, ADesignComesBackBesideThoseThatCameSince)
{
    designs.freezeLive();
    ASSERT_TRUE(designs.addFrom(QStringLiteral("llama-3-8b")).ok());
    ASSERT_TRUE(designs.addFrom(QStringLiteral("tiny")).ok());
    designs.drop('A');
    ASSERT_TRUE(designs.addFrom(QStringLiteral("gpt2-medium")).ok()); // is A now
    designs.drop('C');

    document.undoStack().setIndex(0); // tiny at C again, and no place for the first

    EXPECT_EQ(designs.size(), Designs::kMaxFrozen);
    EXPECT_EQ(frozen('A').model, *presetNamed("gpt2-medium"));
    EXPECT_EQ(frozen('C').model, *presetNamed("tiny"));
}

TEST_F(DesignsTest, TheFileIsCalledModifiedAtTheStepThatChangesTheDesign)
{
    designs.freezeLive();
    designs.drop('A');
    const QSignalSpy told(&document, &Document::fileChanged);

    setSequence(256);

    EXPECT_EQ(told.count(), 1);
    EXPECT_TRUE(document.isModified());
}

TEST_F(DesignsTest, AnUnknownModelAddsNothing)
{
    const QSignalSpy changes(&designs, &Designs::changed);

    EXPECT_FALSE(designs.addFrom(QStringLiteral("gpt3")).ok());

    EXPECT_TRUE(designs.isEmpty());
    EXPECT_EQ(changes.count(), 0);
}

TEST_F(DesignsTest, AnEditOfTheLiveDesignCountsNoFrozenOneAgain)
{
    designs.freezeLive();
    const CostTree<Count>* tree = &designs.costTree(0);
    const Memory* needed = &designs.memory(0);

    replaceModel(document, *presetNamed("llama-3-8b"));
    EXPECT_EQ(&designs.costTree(0), tree);
    EXPECT_EQ(&designs.memory(0), needed);
    EXPECT_TRUE(needed->total() == memory(halfSwapped()).total());
    EXPECT_EQ(designs.costSummary(0).flops,
              summary(costTree(halfSwapped()), halfSwapped(), LensId::exact).flops);

    document.setLens(LensId::mac);
    const CostTree<Count> counted = costTree(halfSwapped(), lens(LensId::mac).pairs);
    EXPECT_EQ(designs.costSummary(0).flops, summary(counted, halfSwapped(), LensId::mac).flops);
    document.setLens(LensId::exact);
    EXPECT_EQ(&designs.costTree(0), tree);
}

TEST_F(DesignsTest, NamesBeginWithTheLetterAndFollowARenaming)
{
    designs.freezeLive();
    designs.rename('A', QStringLiteral("  before MoE "));
    designs.rename('A', QStringLiteral("  "));

    ASSERT_EQ(designs.others().size(), 1U);
    EXPECT_EQ(designs.others().front().name, "A before MoE");
    EXPECT_EQ(designs.others().front().letter, "A");
    EXPECT_EQ(designs.live().name, "live " + document.model().name);
    EXPECT_NE(document.model().name, "before MoE");
}

} // namespace
} // namespace flopsmith::ui
