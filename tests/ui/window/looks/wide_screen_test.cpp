// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window/looks/cut_widgets.h"
#include "tests/ui/window/window_fixture.h"

#include <QTabBar>

namespace flopsmith::ui {
namespace {

class WideScreenTest : public test::WindowTest
{
protected:
    WideScreenTest() { window->resize(1920, 1080); }
};

// The title of the current page is bold, so that the tabs need another width on each page.
TEST_F(WideScreenTest, NoTabIsCut)
{
    const auto& tabs = child<QTabBar>("charts.tabs");
    for (int page = 0; page < window->pages().count(); ++page) {
        window->pages().setCurrent(page);
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
        for (int tab = 0; tab < tabs.count(); ++tab) {
            EXPECT_TRUE(tabs.rect().contains(tabs.tabRect(tab))) << page << ", " << tab;
        }
    }
}

TEST_F(WideScreenTest, NothingIsCutOnAnyPage)
{
    for (int page = 0; page < window->pages().count(); ++page) {
        window->pages().setCurrent(page);
        window->settle();
        QCoreApplication::processEvents();
        EXPECT_EQ(test::cutWidgets(*window).join(QStringLiteral("; ")).toStdString(), "") << page;
    }
}

} // namespace
} // namespace flopsmith::ui
