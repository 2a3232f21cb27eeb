// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/settings/window_theme.h"

#include "ui/theme/theme.h"

#include <QApplication>

namespace flopsmith::ui {

void WindowTheme::choose(ThemeChoice choice)
{
    storeThemeChoice(choice);
    show(themeOf(choice));
}

void WindowTheme::show(const Theme& theme)
{
    applyTheme(*qApp, theme);
    Q_EMIT changed();
}

} // namespace flopsmith::ui

#include "moc_window_theme.cpp"
