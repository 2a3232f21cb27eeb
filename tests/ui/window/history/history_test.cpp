// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/edits/model_edit.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/window/history/history_model.h"

#include <QAction>
#include <QKeyEvent>
#include <QListView>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

namespace flopsmith::ui {
namespace {

class HistoryTest : public test::WindowTest
{
protected:
    Document& document() { return window->document(); }
    QListView& list() { return child<QListView>("window.history"); }
    QAction& action() { return child<QAction>("view.history"); }

    // The states from the start to the end.
    std::vector<Scenario> takeSteps()
    {
        std::vector<Scenario> states{document().scenario()};
        const auto keep = [this, &states] { states.push_back(document().scenario()); };
        replaceModel(document(), *presetNamed("gpt2"));
        keep();
        renameModel(document(), QStringLiteral("one & two"));
        keep();
        replaceModel(document(), *presetNamed("llama-3-8b"));
        keep();
        return states;
    }

    void clickOn(int at)
    {
        list().scrollTo(row(at));
        QTest::mouseClick(
            list().viewport(), Qt::LeftButton, {}, list().visualRect(row(at)).center());
    }

    QModelIndex row(int at) { return list().model()->index(at, 0); }
    QString text(int at) { return row(at).data().toString(); }
    QString change(int at) { return row(at).data(HistoryModel::changeRole).toString(); }

    HistoryModel::Place place(int at)
    {
        return row(at).data(HistoryModel::placeRole).value<HistoryModel::Place>();
    }
};

TEST_F(HistoryTest, IsClosedAtFirstAndReadsNothing)
{
    takeSteps();

    EXPECT_FALSE(list().isVisible());
    EXPECT_EQ(list().model()->rowCount(), 0);
}

TEST_F(HistoryTest, ItsShortcutOpensItWithTheFocusAndItStaysOpenAtTheNextStart)
{
    QTest::keyClick(window.get(), Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(list().isVisible());
    EXPECT_TRUE(list().hasFocus());

    open();

    EXPECT_TRUE(list().isVisible());
    EXPECT_TRUE(action().isChecked());
    action().trigger();
    EXPECT_FALSE(list().isVisible());
}

TEST_F(HistoryTest, LeavesRoomForTheOthersOnAProjector)
{
    action().trigger();
    QCoreApplication::processEvents();

    EXPECT_EQ(child<QScrollArea>("panels").horizontalScrollBar()->maximum(), 0);
}

TEST_F(HistoryTest, NamesTheStepsOldestFirst)
{
    takeSteps();
    action().trigger();

    ASSERT_EQ(list().model()->rowCount(), 4);
    EXPECT_EQ(text(0), QStringLiteral("Start"));
    EXPECT_EQ(text(1), QStringLiteral("Load GPT-2 small"));
    EXPECT_EQ(text(2), QStringLiteral("Rename to one & two"));
    EXPECT_EQ(text(3), QStringLiteral("Load Llama-3-8B"));
    EXPECT_EQ(list().currentIndex(), row(3));
}

TEST_F(HistoryTest, AClickOrReturnJumpsToThatState)
{
    const std::vector<Scenario> states = takeSteps();
    action().trigger();
    for (const int step : {1, 3, 2, 0}) {
        clickOn(step);
        EXPECT_EQ(document().scenario(), states.at(static_cast<std::size_t>(step)));
        EXPECT_EQ(place(step), HistoryModel::Place::current);
    }
    EXPECT_EQ(place(1), HistoryModel::Place::undone);

    QTest::keyClick(&list(), Qt::Key_End);
    EXPECT_EQ(document().scenario(), states.front()); // moving alone changes nothing
    QTest::keyClick(&list(), Qt::Key_Return);

    EXPECT_EQ(document().scenario(), states.back());
    EXPECT_EQ(place(0), HistoryModel::Place::done);
}

TEST_F(HistoryTest, AStepAfterUndoReplacesTheUndoneOnes)
{
    takeSteps();
    action().trigger();
    document().undoStack().setIndex(1);
    renameModel(document(), QStringLiteral("again"));

    ASSERT_EQ(list().model()->rowCount(), 3);
    EXPECT_EQ(text(2), QStringLiteral("Rename to again"));
    EXPECT_EQ(list().currentIndex(), row(2));
}

TEST_F(HistoryTest, EditsThatAnotherOneDiscardedAreRestored)
{
    const std::vector<Scenario> states = takeSteps();
    action().trigger();
    auto& discarded = child<QPushButton>("window.discarded");
    auto& restore = child<QAction>("history.restoreDiscarded");
    document().history().setBookmark(3, QStringLiteral("last"));
    document().undoStack().setIndex(1);
    EXPECT_FALSE(discarded.isVisible() || restore.isEnabled());
    renameModel(document(), QStringLiteral("instead"));
    const Scenario instead = document().scenario();
    EXPECT_TRUE(discarded.isVisible());
    EXPECT_TRUE(discarded.text().contains(QLatin1String("2"))) << qPrintable(discarded.text());

    restore.trigger();

    EXPECT_EQ(document().history().bookmark(3), QStringLiteral("last"));
    for (int step = 3; step >= 0; --step) {
        document().undoStack().setIndex(step);
        EXPECT_EQ(document().scenario(), states.at(static_cast<std::size_t>(step))) << step;
    }
    discarded.click(); // and what stood there instead likewise
    EXPECT_EQ(document().scenario(), instead);
    EXPECT_EQ(document().undoStack().count(), 2);

    document().start(states[0]);
    EXPECT_FALSE(discarded.isVisible() || restore.isEnabled());
}

TEST_F(HistoryTest, SaysWhatAStepChangedUnderTheLens)
{
    takeSteps();
    action().trigger();

    EXPECT_EQ(change(0), QString());
    EXPECT_EQ(change(2), QString());
    EXPECT_TRUE(change(3).startsWith(QLatin1Char('+')));
    const QString counted = change(3);
    EXPECT_TRUE(row(3).data(Qt::AccessibleTextRole).toString().contains(counted));
    document().setLens(LensId::mac);
    EXPECT_NE(change(3), counted);
    EXPECT_TRUE(change(3).contains(QLatin1String("MAC"))) << qPrintable(change(3));
}

TEST_F(HistoryTest, CountsAStepWhenTheSliderIsReleased)
{
    action().trigger();
    const Parameter length = matchingParameters(document().scenario(), "seq").front();
    document().history().beginGesture();
    setParameter(document(), length, std::int64_t{512});
    ASSERT_EQ(list().model()->rowCount(), 2);
    EXPECT_EQ(change(1), QString());

    document().history().endGesture();

    EXPECT_TRUE(change(1).startsWith(QChar(0x2212))) << qPrintable(change(1));
}

TEST_F(HistoryTest, BookmarksAreJumpedToAndGoWithTheirSteps)
{
    const std::vector<Scenario> states = takeSteps();
    action().trigger();
    auto& mark = child<QAction>("history.bookmark");
    auto& next = child<QAction>("history.nextBookmark");
    auto& previous = child<QAction>("history.previousBookmark");
    EXPECT_FALSE(next.isEnabled() || previous.isEnabled());
    for (const int step : {0, 2, 3}) {
        document().undoStack().setIndex(step);
        QTest::keyClick(window.get(), Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
        EXPECT_TRUE(mark.isChecked());
        EXPECT_TRUE(row(step).data(HistoryModel::bookmarkRole).toBool());
    }
    EXPECT_FALSE(row(1).data(HistoryModel::bookmarkRole).toBool());

    previous.trigger();
    EXPECT_EQ(document().scenario(), states[2]);
    previous.trigger();
    EXPECT_EQ(document().scenario(), states[0]);
    EXPECT_FALSE(previous.isEnabled());
    next.trigger();
    EXPECT_EQ(document().scenario(), states[2]);
    mark.trigger();
    EXPECT_FALSE(row(2).data(HistoryModel::bookmarkRole).toBool());

    renameModel(document(), QStringLiteral("again")); // in place of the last step
    EXPECT_FALSE(next.isEnabled());
    EXPECT_FALSE(mark.isChecked());
    document().start(states[1]);
    EXPECT_FALSE(document().history().bookmark(0).has_value());
}

TEST_F(HistoryTest, AWindowWithABookmarkAtTheStartClosesAfterSteps)
{
    takeSteps();
    action().trigger();
    document().history().setBookmark(
        0, QStringLiteral("a name that is too long to be stored in place"));
    document().undoStack().setIndex(2);

    open(); // and destroys the window before

    EXPECT_FALSE(document().history().bookmark(0).has_value());
    EXPECT_EQ(document().undoStack().count(), 0);
}

TEST_F(HistoryTest, ABookmarkHasANameIfOneIsTyped)
{
    takeSteps();
    action().trigger();
    EXPECT_FALSE(list().model()->setData(row(1), QStringLiteral("base")));

    document().history().setBookmark(1, QString());
    EXPECT_EQ(text(1), QStringLiteral("Load GPT-2 small"));
    EXPECT_TRUE(list().model()->setData(row(1), QStringLiteral(" base ")));

    EXPECT_EQ(text(1), QStringLiteral("base \u00B7 Load GPT-2 small"));
    EXPECT_TRUE(row(1).data(Qt::AccessibleTextRole).toString().contains(QLatin1String("bookmark")));
    EXPECT_TRUE(list().model()->flags(row(1)).testFlag(Qt::ItemIsEditable));
    EXPECT_FALSE(list().model()->flags(row(2)).testFlag(Qt::ItemIsEditable));
}

TEST_F(HistoryTest, F2IsTheListsOnlyWhereABookmarkCanBeNamed)
{
    takeSteps();
    action().trigger();
    document().history().setBookmark(1, QString());
    for (const int step : {1, 2}) {
        list().setCurrentIndex(row(step));
        QKeyEvent key(QEvent::ShortcutOverride, Qt::Key_F2, Qt::NoModifier);
        key.ignore();
        QCoreApplication::sendEvent(&list(), &key);
        EXPECT_EQ(key.isAccepted(), step == 1) << step;
    }
}

TEST(HistoryChange, HasASignAnAmountAndAShare)
{
    const auto text = [](Count before, Count after) {
        return changeText({.before = before, .after = after}, LensId::exact).toStdString();
    };

    EXPECT_EQ(text(5'000'000, 5'000'000), "");
    EXPECT_EQ(text(5'000'000, 4'000'000), "\u22121 MFLOPs \u00B7 \u221220.0 %");
    EXPECT_EQ(text(5'000'000, 7'500'000), "+2.50 MFLOPs \u00B7 +50.0 %");
    EXPECT_EQ(text(0, 7'500'000), "+7.50 MFLOPs");
    EXPECT_EQ(text(5'000'000'000'000, 5'000'000'001'000), "+1 kFLOPs");
}

} // namespace
} // namespace flopsmith::ui
