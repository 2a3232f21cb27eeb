// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/settings/window_settings.h"

#include "ui/theme/theme.h"

#include <QApplication>
#include <QScreen>
#include <QSettings>
#include <QSplitter>
#include <QStyle>
#include <QWidget>

#include <algorithm>
#include <array>

namespace flopsmith::ui {
namespace {

const QString kTheme = QStringLiteral("theme");
const QString kOpenLast = QStringLiteral("openLast");
const QString kHistory = QStringLiteral("history");
const QString kStartPage = QStringLiteral("startPage");
const QString kPage = QStringLiteral("page");
const QString kStackZoom = QStringLiteral("stackZoom");
const QString kAllParameters = QStringLiteral("allParameters");
const QString kPalettePinned = QStringLiteral("palettePinned");
const QString kMinimap = QStringLiteral("minimap");
const QString kNotes = QStringLiteral("notes");
const QString kCommands = QStringLiteral("commands");
const QString kGeometry = QStringLiteral("window/geometry");
const QString kSplitter = QStringLiteral("window/%1");
constexpr std::array<const char*, 4> kThemeNames{"light", "dark", "contrast", "system"};

QPalette& desktopPalette()
{
    static QPalette palette = QApplication::palette();
    return palette;
}

// A size that was stored on a larger screen; Qt keeps one that is up to a quarter too large.
void fitToScreen(QWidget& window)
{
    if (window.isMaximized() || window.isFullScreen()) {
        return;
    }
    const int titleBar = window.style()->pixelMetric(QStyle::PM_TitleBarHeight);
    const QRect place = window.screen()->availableGeometry().adjusted(0, titleBar, 0, 0);
    window.resize(window.size().boundedTo(place.size()));
    QRect fitted(window.pos(), window.size());
    fitted.moveRight(std::min(fitted.right(), place.right()));
    fitted.moveBottom(std::min(fitted.bottom(), place.bottom()));
    fitted.moveTopLeft({std::max(fitted.left(), place.left()),
                        std::max(fitted.top(), window.screen()->availableGeometry().top())});
    window.move(fitted.topLeft());
}

} // namespace

ThemeChoice storedThemeChoice()
{
    return themeChoiceNamed(QSettings().value(kTheme).toString());
}

ThemeChoice themeChoiceNamed(const QString& name)
{
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

bool storedPalettePinned()
{
    return QSettings().value(kPalettePinned, false).toBool();
}

void storePalettePinned(bool shown)
{
    QSettings().setValue(kPalettePinned, shown);
}

bool storedAllParameters()
{
    return QSettings().value(kAllParameters, false).toBool();
}

void storeAllParameters(bool shown)
{
    QSettings().setValue(kAllParameters, shown);
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
    if (restored) {
        fitToScreen(window);
    }
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
    case ThemeChoice::contrast: return lectureTheme();
    case ThemeChoice::system: return systemTheme(desktopPalette());
    }
    return lightTheme();
}

void rememberDesktopPalette()
{
    desktopPalette();
}

} // namespace flopsmith::ui
