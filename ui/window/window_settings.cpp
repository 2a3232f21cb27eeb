// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_settings.h"

#include "ui/theme/theme.h"

#include <QApplication>
#include <QSettings>
#include <QSplitter>
#include <QWidget>

#include <array>

namespace flopsmith::ui {
namespace {

const QString kTheme = QStringLiteral("theme");
const QString kOpenLast = QStringLiteral("openLast");
const QString kHistory = QStringLiteral("history");
const QString kStartPage = QStringLiteral("startPage");
const QString kPage = QStringLiteral("page");
const QString kStackZoom = QStringLiteral("stackZoom");
const QString kMinimap = QStringLiteral("minimap");
const QString kNotes = QStringLiteral("notes");
const QString kCommands = QStringLiteral("commands");
const QString kGeometry = QStringLiteral("window/geometry");
const QString kSplitter = QStringLiteral("window/%1");
constexpr std::array<const char*, 3> kThemeNames{"light", "dark", "system"};

QPalette& desktopPalette()
{
    static QPalette palette = QApplication::palette();
    return palette;
}

} // namespace

ThemeChoice storedThemeChoice()
{
    const QString name = QSettings().value(kTheme).toString();
    for (std::size_t i = 0; i < kThemeNames.size(); ++i) {
        if (name == QLatin1String(kThemeNames.at(i))) {
            return static_cast<ThemeChoice>(i);
        }
    }
    return ThemeChoice::system;
}

void storeThemeChoice(ThemeChoice choice)
{
    QSettings().setValue(kTheme, QLatin1String(kThemeNames.at(static_cast<std::size_t>(choice))));
}

bool storedOpenLast()
{
    return QSettings().value(kOpenLast, false).toBool();
}

void storeOpenLast(bool on)
{
    QSettings().setValue(kOpenLast, on);
}

bool storedHistoryOpen()
{
    return QSettings().value(kHistory, false).toBool();
}

void storeHistoryOpen(bool open)
{
    QSettings().setValue(kHistory, open);
}

bool storedStartPage()
{
    return QSettings().value(kStartPage, true).toBool();
}

void storeStartPage(bool shown)
{
    QSettings().setValue(kStartPage, shown);
}

QString storedPage()
{
    return QSettings().value(kPage).toString();
}

void storePage(const QString& name)
{
    QSettings().setValue(kPage, name);
}

double storedStackZoom()
{
    bool isNumber = false;
    const double zoom = QSettings().value(kStackZoom).toDouble(&isNumber);
    return isNumber ? zoom : 1.0;
}

void storeStackZoom(double zoom)
{
    QSettings().setValue(kStackZoom, zoom);
}

bool storedMinimap()
{
    return QSettings().value(kMinimap, true).toBool();
}

void storeMinimap(bool shown)
{
    QSettings().setValue(kMinimap, shown);
}

bool storedNotes()
{
    return QSettings().value(kNotes, true).toBool();
}

void storeNotes(bool shown)
{
    QSettings().setValue(kNotes, shown);
}

QStringList storedCommands()
{
    return QSettings().value(kCommands).toStringList().mid(0, kMaxCommands);
}

void storeCommand(const QString& id)
{
    QStringList commands = storedCommands();
    commands.removeAll(id);
    commands.prepend(id);
    QSettings().setValue(kCommands, commands.mid(0, kMaxCommands));
}

bool restoreWindow(QWidget& window)
{
    const QSettings settings;
    const bool restored = window.restoreGeometry(settings.value(kGeometry).toByteArray());
    for (auto* splitter : window.findChildren<QSplitter*>()) {
        splitter->restoreState(settings.value(kSplitter.arg(splitter->objectName())).toByteArray());
    }
    return restored;
}

void storeWindow(QWidget& window)
{
    QSettings settings;
    settings.setValue(kGeometry, window.saveGeometry());
    for (auto* splitter : window.findChildren<QSplitter*>()) {
        settings.setValue(kSplitter.arg(splitter->objectName()), splitter->saveState());
    }
}

const Theme& themeOf(ThemeChoice choice)
{
    switch (choice) {
    case ThemeChoice::light: return lightTheme();
    case ThemeChoice::dark: return darkTheme();
    case ThemeChoice::system: return systemTheme(desktopPalette());
    }
    return lightTheme();
}

void rememberDesktopPalette()
{
    desktopPalette();
}

} // namespace flopsmith::ui
