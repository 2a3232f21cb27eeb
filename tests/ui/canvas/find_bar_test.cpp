// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/find/find_bar.h"

#include "core/model/presets.h"
#include "ui/canvas/stack_view.h"

#include <gtest/gtest.h>

#include <QLineEdit>
#include <QTest>
#include <QToolButton>

namespace flopsmith::ui {
namespace {

class FindBarTest : public testing::Test
{
protected:
    FindBarTest()
    {
        view.resize(700, 600);
        view.show();
        view.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&view));
        view.setFocus();
        document.select(Selection::of(Selection::Part::embedding));
    }

    void find(const QString& query)
    {
        QTest::keyClick(&view, Qt::Key_F, Qt::ControlModifier);
        EXPECT_TRUE(bar().box().hasFocus());
        bar().box().setText(query);
    }

    FindBar& bar() { return *view.findChild<FindBar*>(); }

    Document document{Scenario{.model = *presetNamed("gpt2-half-swapped")}};
    StackView view{document};
};

TEST_F(FindBarTest, TypingSelectsTheNextRowThatContainsIt)
{
    find(QStringLiteral("heads 12"));
    EXPECT_EQ(document.selection(), Selection::ofRun(0));
    EXPECT_EQ(bar().resultText(), QStringLiteral("1 of 2"));

    bar().box().setText(QStringLiteral("learned positions"));
    EXPECT_EQ(document.selection(), Selection::of(Selection::Part::embedding));
    EXPECT_EQ(bar().resultText(), QStringLiteral("1 of 1"));
}

TEST_F(FindBarTest, KeysStepThroughWhatWasFoundAndAround)
{
    find(QStringLiteral("attention"));
    const auto press = [this](Qt::KeyboardModifiers modifiers) {
        QTest::keyClick(&view, Qt::Key_F3, modifiers);
        return document.selection();
    };
    view.setFocus();

    EXPECT_EQ(press({}), Selection::ofRun(1));
    EXPECT_EQ(bar().resultText(), QStringLiteral("2 of 2"));
    EXPECT_EQ(press({}), Selection::ofRun(0));
    EXPECT_EQ(press(Qt::ShiftModifier), Selection::ofRun(1));
    EXPECT_EQ(press(Qt::ShiftModifier), Selection::ofRun(0));
    EXPECT_EQ(document.undoStack().count(), 0);
}

TEST_F(FindBarTest, EnterAndTheButtonsStepToo)
{
    find(QStringLiteral("attention"));

    QTest::keyClick(&bar().box(), Qt::Key_Return);
    EXPECT_EQ(document.selection(), Selection::ofRun(1));
    for (auto* button : bar().findChildren<QToolButton*>()) {
        if (button->accessibleName() == QLatin1String("Previous")) {
            button->click();
        }
    }
    EXPECT_EQ(document.selection(), Selection::ofRun(0));
}

TEST_F(FindBarTest, WhatIsNowhereIsSaidAndSelectsNothing)
{
    find(QStringLiteral("zebra"));

    EXPECT_EQ(bar().resultText(), QStringLiteral("Nothing contains “zebra”."));
    EXPECT_EQ(document.selection(), Selection::of(Selection::Part::embedding));
}

TEST_F(FindBarTest, TheCountFollowsTheDocument)
{
    find(QStringLiteral("attention"));
    ASSERT_EQ(bar().resultText(), QStringLiteral("1 of 2"));

    view.actionsOfStack().duplicate().trigger();
    view.refresh();

    EXPECT_EQ(bar().resultText(), QStringLiteral("2 of 3"));
}

TEST_F(FindBarTest, KeysOfTheStackAreTypedInTheBar)
{
    find(QStringLiteral("ab"));
    bar().box().setCursorPosition(0);

    QTest::keyClick(&bar().box(), Qt::Key_Delete);
    QTest::keyClick(&bar().box(), Qt::Key_A);

    EXPECT_EQ(bar().query(), QStringLiteral("ab"));
    EXPECT_EQ(document.undoStack().count(), 0);
    EXPECT_EQ(view.findChild<TypedList*>(), nullptr);
}

TEST_F(FindBarTest, EscapeGivesTheFocusBack)
{
    find(QStringLiteral("attention"));

    QTest::keyClick(&bar().box(), Qt::Key_Escape);

    EXPECT_FALSE(bar().isVisible());
    EXPECT_TRUE(view.hasFocus());
}

TEST_F(FindBarTest, TheBarStaysInsideTheView)
{
    for (const int width : {320, 700, 1200}) {
        view.resize(width, 300);
        find(QStringLiteral("a text that is not in the stack and takes more than one line"));
        EXPECT_TRUE(view.rect().contains(bar().geometry())) << width;
    }
}

} // namespace
} // namespace flopsmith::ui
