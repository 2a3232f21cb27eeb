// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/dense.h"
#include "core/io/journal/journal_file.h"
#include "core/io/project/project_file.h"
#include "tests/ui/document/scenarios.h"
#include "ui/document/block_paste.h"
#include "ui/document/designs.h"
#include "ui/document/document.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/document/edits/rule_edit.h"
#include "ui/document/journal/journaled_document.h"
#include "ui/document/scenario_edit.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

#include <random>

namespace flopsmith::ui {
namespace {

using test::parameter;
using test::whole;
using LockKind = ClassLock::Kind;

class ClassLocksTest : public testing::Test
{
protected:
    ClassLocksTest()
    {
        Project project{.scenario = {.model = *presetNamed("gpt2")}};
        project.classLocks = {
            {.key = "ffn.d_ff", .kind = LockKind::fixed, .sentence = "Equal for all."},
            {.key = "d_model", .kind = LockKind::bounded, .min = 512, .max = 1024},
            {.key = "lens", .kind = LockKind::fixed},
            {.key = "heads"}};
        document.start(project);
    }

    bool set(const char* key, std::int64_t value)
    {
        return setParameter(document, parameter(document, key), value);
    }

    QString refusal() const
    {
        return refused.isEmpty() ? QString() : refused.back().front().toString();
    }

    Document document{Scenario{.model = *presetNamed("gpt2")}};
    QSignalSpy refused{&document, &Document::changeRefused};
};

TEST_F(ClassLocksTest, APreparedDesignOpensLockedAndUnmodified)
{
    EXPECT_TRUE(document.classLocks().isPrepared());
    EXPECT_FALSE(document.classLocks().isUnlocked());
    EXPECT_FALSE(document.isModified());
    EXPECT_EQ(document.classLocks().held().size(), 4U);
    EXPECT_EQ(document.classLocks().all()[0].values,
              std::vector<FieldValue>{FieldValue(std::int64_t{3072})});
}

TEST_F(ClassLocksTest, AFixedOrHiddenParameterIsRefusedWithTheTeachersSentence)
{
    EXPECT_FALSE(set("d_ff", 2048));
    EXPECT_EQ(refusal(), QStringLiteral("d_ff is fixed at 3072 for this class: Equal for all."));
    EXPECT_FALSE(set("heads", 6));
    EXPECT_EQ(refusal(), QStringLiteral("heads is hidden for this class"));
    EXPECT_FALSE(tieParameter(document, parameter(document, "d_ff"), QStringLiteral("2*d_model")));
    EXPECT_EQ(document.undoStack().count(), 0);
    EXPECT_TRUE(set("seq", 512));
}

TEST_F(ClassLocksTest, ABoundedParameterStaysInItsRange)
{
    EXPECT_FALSE(set("d_model", 1536));
    EXPECT_TRUE(set("d_model", 960));

    enterParameter(document, parameter(document, "d_model"), std::int64_t{4096});
    EXPECT_EQ(whole(document, "d_model"), 1020); // below 1024, a multiple of 12 heads
    EXPECT_TRUE(document.notice().text.contains(QStringLiteral("between 512 and 1024")));
}

TEST_F(ClassLocksTest, TheLensIsRefusedToThePersonOnly)
{
    const LensId before = document.lens();
    document.chooseLens(LensId::matmul);
    EXPECT_EQ(document.lens(), before);
    EXPECT_EQ(refusal(), QStringLiteral("the lens is fixed for this class"));
    document.setLens(LensId::matmul); // of a file that is opened
    EXPECT_EQ(document.lens(), LensId::matmul);
}

TEST_F(ClassLocksTest, EveryWayToEditIsRefused)
{
    const Scenario before = document.scenario();
    DenseFfn narrow;
    narrow.dFf = 64;
    const auto refuses = [&](const char* what, const Document::Edit& edit) {
        refused.clear();
        EXPECT_FALSE(document.apply(QString::fromLatin1(what), edit)) << what;
        EXPECT_EQ(document.scenario(), before) << what;
        EXPECT_EQ(refused.size(), 1) << what;
    };
    refuses("a block from elsewhere", [&](DocumentState& state) {
        BlockRun run = state.scenario.model.runs.front();
        run.block.ffn = narrow;
        state.scenario.model.runs.push_back(run);
    });
    refuses("an FFN pasted over one", [&](DocumentState& state) {
        BlockClip clip = copied(state.scenario.model, {0});
        clip.runs.front().block.ffn = narrow;
        pasteFfn(state.scenario, clip, {0});
    });
    refuses("a width as of a search", [&](DocumentState& state) {
        state.scenario.model.dModel = 2400;
        repair(state.scenario);
    });
    replaceModel(document, *presetNamed("gpt2-xl"));
    EXPECT_EQ(document.scenario(), before);
    Designs designs(document);
    ASSERT_TRUE(designs.addFrom(QStringLiteral("gpt2-xl")).ok());
    designs.swapWithLive('A');
    EXPECT_EQ(document.scenario(), before);
    EXPECT_EQ(document.undoStack().count(), 0);
}

TEST_F(ClassLocksTest, UndoAndRedoStayPossible)
{
    document.classLocks().unlock();
    ASSERT_TRUE(set("d_ff", 2048));
    document.undoStack().undo();
    EXPECT_EQ(whole(document, "d_ff"), 3072);
    document.undoStack().redo();
    EXPECT_EQ(whole(document, "d_ff"), 2048);
}

TEST_F(ClassLocksTest, UnlockingIsRecordedForGood)
{
    QSignalSpy told(&document.classLocks(), &ClassLocks::unlocked);
    ASSERT_TRUE(set("seq", 512));
    document.classLocks().unlock();
    document.classLocks().unlock();
    EXPECT_EQ(told.size(), 1);
    EXPECT_TRUE(document.classLocks().isUnlocked());
    EXPECT_TRUE(document.classLocks().held().empty());
    document.undoStack().undo();
    EXPECT_TRUE(document.classLocks().isUnlocked());
    EXPECT_TRUE(document.isModified());

    const Project saved = document.file().project();
    EXPECT_TRUE(saved.unlocked);
    EXPECT_EQ(saved.classLocks.size(), 4U);
    Document again{Scenario{.model = *presetNamed("gpt2")}};
    again.start(saved);
    EXPECT_TRUE(again.classLocks().isUnlocked());
    again.start(Scenario{.model = *presetNamed("gpt2")});
    EXPECT_FALSE(again.classLocks().isPrepared());
    EXPECT_FALSE(again.classLocks().isUnlocked());
}

TEST_F(ClassLocksTest, ADesignThatIsNotPreparedHasNothingToUnlock)
{
    Document plain{Scenario{.model = *presetNamed("gpt2")}};
    plain.classLocks().unlock();
    EXPECT_FALSE(plain.classLocks().isUnlocked());
    EXPECT_FALSE(plain.isModified());
}

TEST_F(ClassLocksTest, PreparingLocksInStepsThatCanBeUndone)
{
    Document plain{Scenario{.model = *presetNamed("gpt2")}};
    EXPECT_FALSE(plain.classLocks().lock({.key = "heads"}).ok());
    plain.classLocks().setPreparing(true);
    ASSERT_TRUE(plain.classLocks().lock({.key = "heads"}).ok());
    ASSERT_TRUE(plain.classLocks().lock({.key = "ffn.d_ff", .kind = LockKind::fixed}).ok());
    EXPECT_FALSE(plain.classLocks().lock({.key = "page:memory", .kind = LockKind::fixed}).ok());
    EXPECT_EQ(plain.undoStack().undoText(), QStringLiteral("Fix d_ff for students"));
    EXPECT_TRUE(plain.classLocks().held().empty()); // the lecturer goes on
    ASSERT_TRUE(setParameter(plain, parameter(plain, "d_ff"), std::int64_t{2048}));

    plain.classLocks().setPreparing(false);
    EXPECT_FALSE(plain.classLocks().isUnlocked());
    EXPECT_FALSE(setParameter(plain, parameter(plain, "d_ff"), std::int64_t{3072}));
    EXPECT_EQ(plain.classLocks().all()[1].values,
              std::vector<FieldValue>{FieldValue(std::int64_t{2048})});

    plain.classLocks().setPreparing(true);
    plain.classLocks().allow("heads");
    EXPECT_EQ(plain.classLocks().all().size(), 1U);
    plain.undoStack().undo();
    EXPECT_EQ(plain.classLocks().all().size(), 2U);
}

TEST_F(ClassLocksTest, PreparingAPreparedDesignUnlocksItUntilItIsLockedAnew)
{
    QSignalSpy told(&document.classLocks(), &ClassLocks::unlocked);
    document.classLocks().setPreparing(true);
    EXPECT_EQ(told.size(), 1);
    EXPECT_TRUE(document.file().project().unlocked);
    document.classLocks().setPreparing(false);
    EXPECT_FALSE(document.file().project().unlocked);
    EXPECT_EQ(document.classLocks().held().size(), 4U);
}

TEST_F(ClassLocksTest, StepsThatWereDiscardedComeBackOnlyIfTheyAreAllowed)
{
    document.classLocks().setPreparing(true);
    document.classLocks().allow("ffn.d_ff");
    ASSERT_TRUE(set("d_ff", 2048));
    document.undoStack().undo();
    document.undoStack().undo(); // d_ff is fixed again
    ASSERT_TRUE(set("seq", 512));
    document.classLocks().setPreparing(false);
    document.history().restoreDiscarded();
    EXPECT_EQ(whole(document, "d_ff"), 3072);
}

// Whatever is done with the document.
TEST_F(ClassLocksTest, NoEditBringsAFixedOrBoundedParameterToAForbiddenValue)
{
    std::mt19937 random(7); // NOLINT(cert-msc32-c,cert-msc51-cpp): the same edits each time
    const auto below = [&random](std::size_t end) { return random() % end; };
    const auto ffns = ffnPrototypes();
    const auto all = presets();
    Designs designs(document);
    for (int step = 0; step < 200; ++step) {
        const std::vector<Parameter> parameters = allParameters(document.scenario());
        const Parameter& any = parameters[below(parameters.size())];
        if (!any.applies(document.scenario())) {
            continue;
        }
        const std::vector<FieldValue> stops = any.legal(document.scenario()).stops();
        const FieldValue value = stops[below(stops.size())];
        const int run = static_cast<int>(below(document.model().runs.size()));
        const FfnSpec& ffn = ffns[below(ffns.size())];
        switch (below(9)) {
        case 0: setParameter(document, any, value); break;
        case 1: enterParameter(document, any, value); break;
        case 2:
            document.apply(QStringLiteral("replace"),
                           [&](DocumentState& state) { replaceFfn(state.scenario, run, ffn); });
            break;
        case 3:
            document.apply(QStringLiteral("insert"), [&](DocumentState& state) {
                if (state.scenario.model.layers() < 100) {
                    insertBlock(state.scenario, run, ffn);
                }
            });
            break;
        case 4: replaceModel(document, all[below(all.size())].make()); break;
        case 5:
            document.apply(QStringLiteral("remove"), [&](DocumentState& state) {
                if (canRemoveRuns(state.scenario, {run})) {
                    removeRuns(state.scenario, {run});
                }
            });
            break;
        case 6: (void)tieParameter(document, any, QStringLiteral("2*d_model")); break;
        case 7: document.undoStack().undo(); break;
        default: document.select(Selection::ofRun(run)); break;
        }
        for (const Parameter& fixed : matchingParameters(document.scenario(), "ffn.d_ff")) {
            ASSERT_EQ(fixed.value(document.scenario()), FieldValue(std::int64_t{3072})) << step;
        }
        ASSERT_GE(document.model().dModel, 512) << step;
        ASSERT_LE(document.model().dModel, 1024) << step;
    }
}

TEST_F(ClassLocksTest, TheJournalBringsLocksAndUnlockingBack)
{
    document.classLocks().unlock();
    ASSERT_TRUE(set("d_ff", 2048));
    const JournalHistory history{.entries = {journalEntry(document)}};
    Document restored{Scenario{.model = *presetNamed("gpt2")}};
    restoreFrom(history, restored);
    EXPECT_EQ(restored.scenario(), document.scenario());
    EXPECT_EQ(restored.classLocks().all(), document.classLocks().all());
    EXPECT_TRUE(restored.classLocks().isUnlocked());
}

} // namespace
} // namespace flopsmith::ui
