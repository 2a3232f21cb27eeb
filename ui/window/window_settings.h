// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

struct Theme;

enum class ThemeChoice { light, dark, system };

/// What the window remembers from one start to the next.
ThemeChoice storedThemeChoice();
void storeThemeChoice(ThemeChoice choice);

/// Whether the file opened or saved last is opened at the start.
bool storedOpenLast();
void storeOpenLast(bool on);

/// Name of the page of charts that is seen; empty at first.
QString storedPage();
void storePage(const QString& name);

/// Size, place and splitters. False if nothing usable is stored.
bool restoreWindow(QWidget& window);
void storeWindow(QWidget& window);

/// The theme of a choice; "system" follows the palette that the desktop gave the application,
/// which must be asked for before the first theme is applied.
const Theme& themeOf(ThemeChoice choice);
void rememberDesktopPalette();

} // namespace flopsmith::ui
