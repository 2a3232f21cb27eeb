// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/waiting.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/inside/inside_canvas.h"
#include "ui/canvas/inside/inside_page.h"
#include "ui/canvas/stack_view.h"
#include "ui/document/edits/parameter_edit.h"
#include "ui/theme/elided_label.h"
#include "ui/window/stack/stack_pages.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

namespace flopsmith::ui {
namespace {

class InsideTest : public test::WindowTest
{
protected:
    StackPages& pages() { return window->stackPages(); }
    InsideCanvas& canvas() { return pages().inside().canvas(); }

    void doubleClickRow(std::size_t row)
    {
        StackView& stack = window->stack();
        const QRectF frame = stack.geometryOfStack().rows.at(row).frame;
        stack.ensureVisible(frame);
        QTest::mouseDClick(stack.viewport(),
                           Qt::LeftButton,
                           Qt::KeyboardModifiers(),
                           stack.mapFromScene(frame.center()));
    }
};

TEST_F(InsideTest, SpaceOpensTheBlockAndEscGoesBack)
{
    ASSERT_EQ(QApplication::focusWidget(), &window->stack());
    QTest::keyClick(&window->stack(), Qt::Key_Space);

    EXPECT_TRUE(pages().isInside());
    EXPECT_EQ(QApplication::focusWidget(), &canvas());
    EXPECT_EQ(canvas().picture().run, 1);

    QTest::keyClick(&canvas(), Qt::Key_Escape);
    EXPECT_FALSE(pages().isInside());
    EXPECT_EQ(QApplication::focusWidget(), &window->stack());
}

TEST_F(InsideTest, ADoubleClickOpensTheBlocksUnderIt)
{
    doubleClickRow(1);

    EXPECT_TRUE(pages().isInside());
    EXPECT_EQ(window->document().selection(), Selection::ofRun(0));
    EXPECT_EQ(canvas().picture().run, 0);
}

TEST_F(InsideTest, TheEmbeddingHasNoInside)
{
    doubleClickRow(0);
    EXPECT_FALSE(pages().isInside());

    EXPECT_FALSE(child<QAction>("stack.inside").isEnabled());
    QTest::keyClick(&window->stack(), Qt::Key_Space);
    EXPECT_FALSE(pages().isInside());
}

TEST_F(InsideTest, EscGoesUpOneLevelBeforeItGoesBack)
{
    pages().openInside();
    QTest::keyClick(&canvas(), Qt::Key_Down);
    ASSERT_FALSE(window->document().operation().empty());

    QTest::keyClick(&canvas(), Qt::Key_Escape);
    EXPECT_EQ(window->document().operation(), "");
    EXPECT_TRUE(pages().isInside());
    QTest::keyClick(&canvas(), Qt::Key_Escape);
    EXPECT_FALSE(pages().isInside());
}

TEST_F(InsideTest, FindingShowsTheStackAgain)
{
    for (const char* name : {"stack.find", "stack.findNext", "stack.findPrevious"}) {
        pages().openInside();
        child<QAction>(name).trigger();
        EXPECT_FALSE(pages().isInside()) << name;
        ASSERT_NE(QApplication::focusWidget(), nullptr);
        EXPECT_TRUE(QApplication::focusWidget()->isVisible()) << name;
        EXPECT_TRUE(window->stack().isAncestorOf(QApplication::focusWidget())) << name;
    }
}

TEST_F(InsideTest, TheBreadcrumbSaysWhereAndLeadsBack)
{
    child<QAction>("stack.inside").trigger();
    const QString path = child<ElidedLabel>("inside.path").text();
    EXPECT_TRUE(path.contains(QStringLiteral("blocks 7 – 12 × 6"))) << qPrintable(path);

    child<QToolButton>("inside.back").click();
    EXPECT_FALSE(pages().isInside());
    EXPECT_EQ(QApplication::focusWidget(), &window->stack());
}

TEST_F(InsideTest, TheViewMenuHasTheAction)
{
    EXPECT_TRUE(
        child<QMenu>("view.stack.menu").actions().contains(&child<QAction>("stack.inside")));
}

TEST_F(InsideTest, TheSentenceFollowsTheSelectedOperation)
{
    pages().openInside();
    EXPECT_TRUE(child<QLabel>("inside.sentence").text().contains(QStringLiteral("Choose")));
    QTest::keyClick(&canvas(), Qt::Key_Down);
    QTest::keyClick(&canvas(), Qt::Key_Down);

    EXPECT_EQ(child<QLabel>("inside.sentence").text(), canvas().sentence());
    EXPECT_TRUE(canvas().sentence().contains(QStringLiteral("qkv_proj")));
}

TEST_F(InsideTest, WhatTheBarsShowIsChosen)
{
    pages().openInside();
    auto& measures = child<QComboBox>("inside.measure");
    measures.setCurrentIndex(1);
    EXPECT_EQ(canvas().measure(), InsideMeasure::parameters);
    measures.setCurrentIndex(2);
    EXPECT_EQ(canvas().measure(), InsideMeasure::bytes);
    measures.setCurrentIndex(3);
    EXPECT_EQ(canvas().measure(), InsideMeasure::time);
    const QString note = child<ElidedLabel>("panel.stack.note").text();
    EXPECT_TRUE(note.startsWith(QStringLiteral("time of the forward pass"))) << qPrintable(note);
}

TEST_F(InsideTest, ThePanelsNoteIsThatOfThePage)
{
    const auto note = [this] { return child<ElidedLabel>("panel.stack.note").text(); };
    const QString before = note();
    pages().openInside();
    EXPECT_TRUE(note().contains(QStringLiteral("6 blocks together"))) << qPrintable(note());
    pages().closeInside();
    EXPECT_EQ(note(), before);
}

TEST_F(InsideTest, ItIsLeftWhenNoBlocksAreSelected)
{
    pages().openInside();
    window->document().select(Selection::of(Selection::Part::embedding));
    EXPECT_FALSE(pages().isInside());
    EXPECT_EQ(QApplication::focusWidget(), &window->stack());
}

TEST_F(InsideTest, ItFollowsASlider)
{
    pages().openInside();
    const Count before = canvas().picture().total.flops;
    setParameter(window->document(),
                 matchingParameters(window->document().scenario(), "seq").front(),
                 std::int64_t{512});
    window->settle();

    EXPECT_LT(toDouble(canvas().picture().total.flops), toDouble(before));
}

TEST_F(InsideTest, TheStackBehindItRestsUntilItIsShownAgain)
{
    pages().openInside();
    const auto before = window->stack().picture().rows;
    const Count flops = canvas().picture().total.flops;
    setParameter(window->document(),
                 matchingParameters(window->document().scenario(), "seq").front(),
                 std::int64_t{512});
    ASSERT_SOON(canvas().picture().total.flops < flops); // a frame has passed
    QCoreApplication::processEvents();
    EXPECT_TRUE(window->stack().picture().rows == before);

    pages().closeInside();
    EXPECT_FALSE(window->stack().picture().rows == before);
}

TEST_F(InsideTest, OpeningItDoesNotChangeTheWindow)
{
    const QSize size = window->size();
    const QSize smallest = window->minimumSizeHint();
    pages().openInside();
    QCoreApplication::processEvents();

    EXPECT_EQ(window->size(), size);
    EXPECT_EQ(window->minimumSizeHint(), smallest);
}

} // namespace
} // namespace flopsmith::ui
