// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/tested_window.h"
#include "ui/measuring/measuring_control.h"
#include "ui/measuring/measuring_settings.h"
#include "ui/theme/theme.h"
#include "ui/window/settings/window_settings.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace flopsmith::ui::test {

/// The real window with settings of its own, so that nothing is left behind.
class WindowTest : public testing::Test
{
protected:
    WindowTest()
    {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
        QCoreApplication::setOrganizationName(QStringLiteral("flopsmith-test"));
        QCoreApplication::setApplicationName(QStringLiteral("window"));
        rememberDesktopPalette();
        applyTheme(*qApp, lightTheme());
        storeAutoMeasure(false); // no program is started unless a test asks for it
        storeAllParameters(true); // of which a test may want any
        storePalettePinned(true);
        open();
    }

    void open()
    {
        window = std::make_unique<TestedWindow>();
        window->resize(1280, 720);
        window->show();
        window->activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(window.get())); // without it, nothing has the focus
        if (QApplication::mouseButtons() != Qt::NoButton) { // a double click of another test
            QTest::mouseRelease(window->windowHandle(), Qt::LeftButton);
        }
    }

    template <class Widget>
    Widget& child(const char* name)
    {
        auto* found = window->findChild<Widget*>(QLatin1String(name));
        FLOPSMITH_CHECK(found != nullptr);
        return *found;
    }

    QTemporaryDir folder;
    std::unique_ptr<TestedWindow> window;
};

} // namespace flopsmith::ui::test
