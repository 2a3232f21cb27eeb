// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/panels/palette_rail.h"

#include "tests/ui/waiting.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/canvas/palette/palette.h"
#include "ui/canvas/stack_view.h"

#include <QToolButton>

namespace flopsmith::ui {
namespace {

class PaletteRailTest : public test::WindowTest
{
protected:
    PaletteRail& rail() { return window->parts().panels->paletteRail(); }
    QWidget& panel() { return child<QWidget>("panel.palette"); }

    void fold()
    {
        window->stack().setFocus();
        rail().setPinned(false);
        QCoreApplication::processEvents();
    }
};

TEST_F(PaletteRailTest, FoldedItGivesItsPlaceToTheStack)
{
    const int before = window->stack().width();
    const int unfolded = panel().width();
    fold();

    EXPECT_LT(panel().width(), unfolded / 2);
    EXPECT_EQ(window->stack().width() - before, unfolded - panel().width());
    EXPECT_EQ(panel().geometry().size(), child<QWidget>("palette.place").size());

    child<QToolButton>("palette.pin").click();
    QCoreApplication::processEvents();
    EXPECT_TRUE(rail().isPinned());
    EXPECT_EQ(window->stack().width(), before);
}

TEST_F(PaletteRailTest, TheFocusUnfoldsItOverTheStackAndTakesItAlong)
{
    fold();
    const int stack = window->stack().width();
    const int folded = panel().width();

    window->palettePanel().buttons().front()->setFocus();
    QCoreApplication::processEvents();
    EXPECT_TRUE(rail().isUnfolded());
    EXPECT_GT(panel().width(), folded + folded / 2);
    EXPECT_EQ(window->stack().width(), stack) << "nothing moves";

    window->stack().setFocus();
    ASSERT_SOON(!rail().isUnfolded());
    EXPECT_EQ(panel().width(), folded);
}

TEST_F(PaletteRailTest, EveryEntryHasLettersOfItsOwn)
{
    QStringList seen;
    fold();
    for (PaletteButton* button : window->palettePanel().buttons()) {
        EXPECT_EQ(button->letters().size(), 2);
        EXPECT_FALSE(seen.contains(button->letters())) << qPrintable(button->text());
        seen << button->letters();
    }
}

TEST_F(PaletteRailTest, AnEntryOfTheRailGoesIntoTheSelectedBlocks)
{
    fold();
    window->document().select(Selection::ofRun(0));
    const Model before = window->document().model();
    for (PaletteButton* button : window->palettePanel().buttons()) {
        if (button->objectName().contains(QLatin1String("spectral"))) {
            QTest::mouseClick(button, Qt::LeftButton);
            break;
        }
    }
    EXPECT_FALSE(window->document().model() == before);
}

TEST_F(PaletteRailTest, IsRememberedAsItWas)
{
    fold();
    window->close();
    open();
    EXPECT_FALSE(rail().isPinned());
}

} // namespace
} // namespace flopsmith::ui
