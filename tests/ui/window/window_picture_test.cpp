// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_picture.h"

#include "tests/ui/window/window_fixture.h"

#include <QAction>

namespace flopsmith::ui {
namespace {

class WindowPictureTest : public test::WindowTest
{
protected:
    QStringList shown()
    {
        QStringList names;
        for (const QWidget* dialog : shownDialogs(*window)) {
            names << dialog->objectName();
        }
        return names;
    }
};

TEST_F(WindowPictureTest, DialogsComeInTheOrderInWhichTheyWereOpened)
{
    EXPECT_EQ(shown(), QStringList{});
    child<QAction>("help.about").trigger();
    child<QAction>("edit.fit").trigger();
    child<QAction>("help.keys").trigger();

    EXPECT_EQ(shown(),
              QStringList({QStringLiteral("help.about.dialog"),
                           QStringLiteral("fit"),
                           QStringLiteral("help.keysSheet")}));
    child<QWidget>("fit").close();
    EXPECT_EQ(shown(),
              QStringList({QStringLiteral("help.about.dialog"), QStringLiteral("help.keysSheet")}));
}

} // namespace
} // namespace flopsmith::ui
