// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

struct Theme;

enum class ThemeChoice { light, dark, system };

/// What the window remembers from one start to the next.
ThemeChoice storedThemeChoice();
void storeThemeChoice(ThemeChoice choice);
/// Whether a rest of the hand starts measuring: not before somebody has measured once, which
/// stores it, or chosen it.
bool storedAutoMeasure();
bool hasStoredAutoMeasure();
void storeAutoMeasure(bool on);

/// Whether the file opened or saved last is opened at the start.
bool storedOpenLast();
void storeOpenLast(bool on);

/// Names: of the page of charts that is seen, of the device that measures. Empty at first.
QString storedPage();
void storePage(const QString& name);
QString storedDevice();
void storeDevice(const QString& name);

/// Names of the devices that it is compared with; none at first.
QStringList storedComparedDevices();
void storeComparedDevices(const QStringList& names);

/// Size, place and splitters. False if nothing usable is stored.
bool restoreWindow(QWidget& window);
void storeWindow(QWidget& window);

/// The theme of a choice; "system" follows the palette that the desktop gave the application,
/// which must be asked for before the first theme is applied.
const Theme& themeOf(ThemeChoice choice);
void rememberDesktopPalette();

} // namespace flopsmith::ui
