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

enum class ThemeChoice { light, dark, contrast, system };

/// The settings of the window, kept from one start to the next.
ThemeChoice storedThemeChoice();

/// "light", "dark", "contrast"; anything else is the system's.
ThemeChoice themeChoiceNamed(const QString& name);
void storeThemeChoice(ThemeChoice choice);

/// Whether the last opened or saved file is opened at the start.
bool storedOpenLast();
void storeOpenLast(bool on);

/// Whether the list of undo steps is open.
bool storedHistoryOpen();
void storeHistoryOpen(bool open);

/// Whether the start page is shown when the program starts without a model.
bool storedStartPage();
void storeStartPage(bool shown);

/// Name of the visible page of charts; empty at first.
QString storedPage();
void storePage(const QString& name);

/// How large the stack is shown, and whether a tall one has a minimap.
double storedStackZoom();
void storeStackZoom(double zoom);
bool storedPalettePinned();
void storePalettePinned(bool pinned);
bool storedAllParameters();
void storeAllParameters(bool shown);
bool storedMinimap();
void storeMinimap(bool shown);

/// Whether notes are shown beside the stack.
bool storedNotes();
void storeNotes(bool shown);

/// The commands that were chosen last by typing, newest first, at most kMaxCommands.
inline constexpr int kMaxCommands = 12;
QStringList storedCommands();
void storeCommand(const QString& id);

/// Size, position and splitters. False if nothing usable is stored.
bool restoreWindow(QWidget& window);
void storeWindow(QWidget& window);

/// The theme of a choice. "system" follows the palette of the desktop, so rememberDesktopPalette()
/// must be called before the first theme is applied.
const Theme& themeOf(ThemeChoice choice);
void rememberDesktopPalette();

} // namespace flopsmith::ui
