// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parameter/validation.h"
#include "tests/ui/document/scenarios.h"
#include "ui/document/document.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/document/edits/rule_edit.h"
#include "ui/document/scenario_edit.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

namespace flopsmith::ui {
namespace {

using test::parameter;
using test::whole;

class DocumentRulesTest : public testing::Test
{
protected:
    bool tie(const char* key, const char* expression)
    {
        return tieParameter(document, parameter(document, key), QString::fromUtf8(expression)).ok();
    }

    Document document{Scenario{.model = *presetNamed("gpt2")}};
    QSignalSpy refused{&document, &Document::changeRefused};
};

TEST_F(DocumentRulesTest, TyingFollowsAtOnceAndIsOneStep)
{
    const Scenario before = document.scenario();
    ASSERT_TRUE(tie("d_ff", "2*d_model"));
    EXPECT_EQ(whole(document, "d_ff"), 2 * 768);
    EXPECT_EQ(document.undoStack().count(), 1);

    document.undoStack().undo();
    EXPECT_EQ(document.scenario(), before);
    EXPECT_TRUE(document.rules().isEmpty());
    document.undoStack().redo();
    EXPECT_EQ(document.rules().ties.size(), 1U);
}

TEST_F(DocumentRulesTest, ATieThatChangesNoValueIsAStepToo)
{
    ASSERT_TRUE(tie("d_ff", "4*d_model"));
    EXPECT_EQ(document.undoStack().count(), 1);
    EXPECT_TRUE(document.isModified());
}

TEST_F(DocumentRulesTest, TiedValuesFollowInTheSameStepAndTheNoticeNamesThem)
{
    ASSERT_TRUE(tie("d_ff", "4*d_model"));
    setParameter(document, parameter(document, "d_model"), std::int64_t{1536});

    EXPECT_EQ(whole(document, "d_ff"), 4 * 1536);
    EXPECT_EQ(document.undoStack().count(), 2);
    EXPECT_EQ(document.notice().text, QStringLiteral("d_ff = 4·d_model: 3072 → 6144"));
    document.undoStack().undo();
    EXPECT_EQ(whole(document, "d_ff"), 4 * 768);
}

TEST_F(DocumentRulesTest, AWidthMayBeTypedThatTiedHeadsMakePossible)
{
    ASSERT_TRUE(tie("heads", "d_model/64"));
    ASSERT_TRUE(tie("kv_heads", "heads"));
    enterParameter(document, parameter(document, "d_model"), std::int64_t{1024});

    EXPECT_EQ(whole(document, "d_model"), 1024);
    EXPECT_EQ(whole(document, "heads"), 16);
    EXPECT_EQ(whole(document, "kv_heads"), 16);
}

TEST_F(DocumentRulesTest, DraggingTheSourceBackLeavesNoStep)
{
    ASSERT_TRUE(tie("d_ff", "4*d_model"));
    const Parameter width = parameter(document, "d_model");
    document.history().beginGesture();
    setParameter(document, width, std::int64_t{1536});
    setParameter(document, width, std::int64_t{768});
    document.history().endGesture();

    EXPECT_EQ(document.undoStack().count(), 1);
}

TEST_F(DocumentRulesTest, ATiedOrLockedParameterIsNotSetByHand)
{
    ASSERT_TRUE(tie("d_ff", "4*d_model"));
    ASSERT_TRUE(lockParameter(document, parameter(document, "heads")).ok());
    const Scenario before = document.scenario();

    EXPECT_FALSE(setParameter(document, parameter(document, "d_ff"), std::int64_t{1000}));
    EXPECT_FALSE(setParameter(document, parameter(document, "heads"), std::int64_t{6}));
    EXPECT_EQ(document.scenario(), before);
    ASSERT_EQ(refused.count(), 2);
    EXPECT_TRUE(refused[0][0].toString().contains(QStringLiteral("untie d_ff")));
    EXPECT_TRUE(refused[1][0].toString().contains(QStringLiteral("heads is locked at 12")));

    freeParameter(document, parameter(document, "heads"));
    EXPECT_TRUE(setParameter(document, parameter(document, "heads"), std::int64_t{6}));
}

TEST_F(DocumentRulesTest, AnEditThatALockForbidsIsRefusedAndNamesIt)
{
    ASSERT_TRUE(lockParameter(document, parameter(document, "kv_heads")).ok());
    ASSERT_TRUE(lockParameter(document, parameter(document, "layers")).ok());
    const Scenario before = document.scenario();

    EXPECT_FALSE(setParameter(document, parameter(document, "heads"), std::int64_t{6}));
    EXPECT_FALSE(document.apply(QStringLiteral("Duplicate"),
                                [](DocumentState& state) { duplicateRun(state.scenario, 0); }));
    EXPECT_EQ(document.scenario(), before);
    ASSERT_EQ(refused.count(), 2);
    EXPECT_TRUE(refused[0][0].toString().contains(QStringLiteral("kv_heads is locked at 12")));
    EXPECT_TRUE(refused[1][0].toString().contains(QStringLiteral("layers is locked at 12")));
}

TEST_F(DocumentRulesTest, ATieThatCannotBeLeavesEverythingAndSaysWhy)
{
    const auto preview = tiePreview(document, parameter(document, "d_ff"), QStringLiteral("2*"));
    EXPECT_FALSE(preview.ok());
    EXPECT_FALSE(tie("d_ff", "2*"));
    EXPECT_FALSE(tie("d_ff", "d_ff"));
    EXPECT_EQ(document.undoStack().count(), 0);
}

TEST_F(DocumentRulesTest, ThePreviewSaysWhatTyingDoes)
{
    const auto said =
        tiePreview(document, parameter(document, "d_ff"), QStringLiteral("2*d_model"));
    ASSERT_TRUE(said.ok());
    EXPECT_EQ(*said, QStringLiteral("d_ff = 2·d_model: 3072 → 1536"));
    EXPECT_EQ(document.undoStack().count(), 0);
}

TEST_F(DocumentRulesTest, RulesAreSavedOpenedAndGoneWithAnotherModel)
{
    ASSERT_TRUE(tie("d_ff", "4*d_model"));
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("tied.flopsmith"));
    ASSERT_TRUE(document.file().saveAs(path).ok());
    Document other{Scenario{.model = *presetNamed("tiny")}};
    ASSERT_TRUE(other.file().open(path).ok());
    EXPECT_EQ(other.rules(), document.rules());

    replaceModel(other, *presetNamed("tiny"));
    EXPECT_TRUE(other.rules().isEmpty());
    other.undoStack().undo();
    EXPECT_EQ(other.rules(), document.rules());
}

TEST_F(DocumentRulesTest, ARemovedRunTakesItsTiesAndUndoBringsThemBack)
{
    document.apply(QStringLiteral("Split"), [](DocumentState& state) {
        state.selection = Selection::ofRun(splitRun(state.scenario, 0));
    });
    ASSERT_TRUE(tieParameter(document,
                             *parameterAt(document.scenario(), {1, "ffn.d_ff"}),
                             QStringLiteral("2*d_model"))
                    .ok());
    document.apply(QStringLiteral("Remove"),
                   [](DocumentState& state) { removeRuns(state.scenario, {1}); });
    EXPECT_TRUE(document.rules().isEmpty());
    document.undoStack().undo();
    EXPECT_NE(document.rules().tieOf({1, "ffn.d_ff"}), nullptr);
    EXPECT_EQ(document.rules().tieOf({0, "ffn.d_ff"}), nullptr);
}

} // namespace
} // namespace flopsmith::ui
