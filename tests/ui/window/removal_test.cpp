// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/notes/note_card_view.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/note_edit.h"
#include "ui/window/designs/design_actions.h"

#include <QAction>
#include <QPushButton>
#include <QToolButton>

#include <functional>

namespace flopsmith::ui {
namespace {

class RemovalTest : public test::WindowTest
{
protected:
    RemovalTest() { document().start(Scenario{.model = *presetNamed("gpt2-half-swapped")}); }

    Document& document() { return window->document(); }
    QUndoStack& steps() { return document().undoStack(); }

    void click(const char* button) { child<QToolButton>(button).click(); }

    void freeze(int count)
    {
        for (int i = 0; i < count; ++i) {
            child<QAction>("view.designs.freeze").trigger();
        }
    }

    // Something that a person removes: how it comes, how it goes, and how much of it is there.
    struct Removable
    {
        const char* name;
        std::function<void()> add;
        std::function<void()> remove;
        std::function<std::size_t()> count;
    };

    std::vector<Removable> removables()
    {
        const auto frozen = [this] { return window->designs().size(); };
        return {{"a frozen design",
                 [this] { freeze(1); },
                 [this] { click("designs.A.close"); },
                 frozen},
                {"all frozen designs",
                 [this] { freeze(3); },
                 [this] { click("designs.closeAll"); },
                 frozen},
                {"a note",
                 [this] {
                     EXPECT_TRUE(addNote(document(), NoteAnchor{}, QStringLiteral("why")).ok());
                     window->stack().refresh();
                 },
                 [this] {
                     auto& card = child<NoteCardView>("stack.note.0");
                     card.setFocus();
                     QTest::keyClick(&card, Qt::Key_Delete);
                 },
                 [this] { return document().notes().size(); }},
                {"a bookmark",
                 [this] {
                     renameModel(document(), QStringLiteral("other"));
                     document().history().setBookmark(steps().index(), QStringLiteral("best"));
                 },
                 [this] { child<QAction>("history.bookmark").trigger(); },
                 [this] {
                     std::size_t all = 0;
                     for (int at = 0; at <= steps().count(); ++at) {
                         all +=
                             document().history().bookmark(at) == QStringLiteral("best") ? 1U : 0U;
                     }
                     return all;
                 }}};
    }
};

TEST_F(RemovalTest, IsAnUndoStepForEveryKind)
{
    for (const Removable& each : removables()) {
        each.add();
        const std::size_t before = each.count();
        const int index = steps().index();
        ASSERT_GT(before, 0U) << each.name;

        each.remove();
        EXPECT_LT(each.count(), before) << each.name;
        EXPECT_EQ(steps().index(), index + 1) << each.name;

        child<QAction>("edit.undo").trigger();
        EXPECT_EQ(each.count(), before) << each.name;
        child<QAction>("edit.redo").trigger();
        EXPECT_LT(each.count(), before) << each.name;
        window->designs().clear();
    }
}

TEST_F(RemovalTest, IsTakenBackByItsMessage)
{
    for (const Removable& each : removables()) {
        each.add();
        const std::size_t before = each.count();
        each.remove();
        ASSERT_TRUE(window->messages().isVisible()) << each.name;

        child<QPushButton>("message.action").click();

        EXPECT_EQ(each.count(), before) << each.name;
        EXPECT_FALSE(window->messages().isVisible()) << each.name;
        window->designs().clear();
    }
}

TEST_F(RemovalTest, OffersNoWayBackOnceSomethingElseIsDone)
{
    freeze(1);
    click("designs.A.close");
    ASSERT_TRUE(window->messages().isVisible());

    renameModel(document(), QStringLiteral("other"));

    EXPECT_FALSE(window->messages().isVisible());
}

TEST_F(RemovalTest, OfABookmarkKeepsUndoneSteps)
{
    renameModel(document(), QStringLiteral("one"));
    document().history().setBookmark(1, QStringLiteral("best"));
    renameModel(document(), QStringLiteral("two"));
    steps().undo();

    child<QAction>("history.bookmark").trigger();
    EXPECT_TRUE(steps().canRedo());
    EXPECT_FALSE(document().history().bookmark(1).has_value());

    child<QPushButton>("message.action").click();
    EXPECT_EQ(document().history().bookmark(1), QStringLiteral("best"));
    EXPECT_TRUE(steps().canRedo());
}

TEST_F(RemovalTest, AnotherMessageHasNoAction)
{
    freeze(1);
    click("designs.A.close");
    EXPECT_TRUE(child<QPushButton>("message.action").isVisible());

    window->messages().show(MessageBar::Kind::error, QStringLiteral("said"));

    EXPECT_FALSE(child<QPushButton>("message.action").isVisible());
}

} // namespace
} // namespace flopsmith::ui
