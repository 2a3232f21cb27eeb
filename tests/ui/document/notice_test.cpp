// SPDX-License-Identifier: GPL-3.0-or-later
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

class NoticeTest : public testing::Test
{
protected:
    void set(const char* key, std::int64_t value)
    {
        setParameter(document, parameter(document, key), value);
    }
    void type(const char* key, std::int64_t value)
    {
        enterParameter(document, parameter(document, key), value);
    }

    Document document{halfSwapped()};
};

TEST_F(NoticeTest, DownAndUpInTwoGesturesLeavesDependentsAsTheyWere)
{
    document.history().beginGesture();
    set("d_model", 12);
    document.history().endGesture();
    EXPECT_EQ(whole(document, "k_freq"), 7);
    document.history().beginGesture();
    set("d_model", 768);
    document.history().endGesture();

    EXPECT_EQ(document.scenario(), halfSwapped());
}

TEST_F(NoticeTest, WishesAreUndoneWithTheirStep)
{
    set("d_model", 12);
    set("k_freq", 5);
    document.undoStack().undo();
    set("d_model", 768);

    EXPECT_EQ(whole(document, "k_freq"), 64);
}

TEST_F(NoticeTest, AWishSurvivesAnEditOfTheStack)
{
    set("d_model", 12);
    document.apply(QStringLiteral("duplicate"), [](DocumentState& state) {
        state.selection = Selection::ofRun(duplicateRun(state.scenario, 0));
    });
    set("d_model", 768);

    EXPECT_EQ(whole(document, "k_freq"), 64);
}

TEST_F(NoticeTest, AnotherModelHasNoOldWishes)
{
    set("d_model", 12);
    replaceModel(document, document.model());
    replaceModel(document, *presetNamed("gpt2"));

    EXPECT_EQ(document.notice(), Notice{});
}

TEST_F(NoticeTest, ACorrectionIsToldWithItsDependentsAndAnAlternative)
{
    type("d_model", 13); // 12, and k_freq follows

    EXPECT_EQ(whole(document, "d_model"), 12);
    EXPECT_EQ(document.notice().text,
              QString::fromUtf8("13 is not a multiple of 12 heads: 12 · "
                                "k_freq 64 → 7 (at most 7 at d_model 12)"));
}

TEST_F(NoticeTest, TheAlternativeIsOneStep)
{
    type("d_model", 1024);
    EXPECT_EQ(whole(document, "d_model"), 1020);

    takeAlternative(document);

    EXPECT_EQ(whole(document, "d_model"), 1024);
    EXPECT_EQ(whole(document, "heads"), 16);
    EXPECT_TRUE(document.notice().isEmpty());
    document.undoStack().undo();
    EXPECT_EQ(whole(document, "d_model"), 1020);
}

TEST_F(NoticeTest, GoesWithTheNextChange)
{
    const QSignalSpy told(&document, &Document::noticeChanged);
    set("d_model", 12);
    EXPECT_EQ(told.count(), 1);

    document.undoStack().undo();
    EXPECT_TRUE(document.notice().isEmpty());
    document.undoStack().redo();
    EXPECT_TRUE(document.notice().isEmpty());
    type("batch", 0);
    EXPECT_EQ(document.notice().text, QStringLiteral("0 is less than 1, the least for batch: 1"));
    renameModel(document, QStringLiteral("other"));
    EXPECT_TRUE(document.notice().isEmpty());
}

TEST_F(NoticeTest, TextThatIsNoNumberIsRefusedWithASentence)
{
    enterText(document, parameter(document, "d_model"), QStringLiteral("1,5"));

    EXPECT_EQ(document.notice().text,
              QString::fromUtf8("“1,5” is not a whole number: d_model stays 768"));
}

// Equal blocks of other runs follow, and each comes back.
TEST_F(NoticeTest, EqualBlocksComeBackTogether)
{
    document.apply(QStringLiteral("split"), [](DocumentState& state) {
        state.selection = Selection::ofRun(splitRun(state.scenario, 1));
    });
    const Scenario start = document.scenario();
    document.setEditScope(EditScope::allEqual);
    set("d_model", 12);
    set("d_model", 768);

    EXPECT_EQ(document.scenario(), start);
}

} // namespace
} // namespace flopsmith::ui
