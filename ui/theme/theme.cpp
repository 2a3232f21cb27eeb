// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include "ui/theme/theme_style.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPointer>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

double linearChannel(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& colour)
{
    return 0.2126 * linearChannel(colour.redF()) + 0.7152 * linearChannel(colour.greenF())
        + 0.0722 * linearChannel(colour.blueF());
}

QColor mixed(const QColor& from, const QColor& to, double share)
{
    const auto channel = [share](int a, int b) {
        return static_cast<int>(std::lround(a + share * (b - a)));
    };
    return {channel(from.red(), to.red()),
            channel(from.green(), to.green()),
            channel(from.blue(), to.blue())};
}

void setDisabled(QPalette& palette, const Theme& theme)
{
    const QColor faint = mixed(theme.panel, theme.mutedText, 0.6);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, faint);
    }
    palette.setColor(QPalette::Disabled, QPalette::Highlight, theme.groove);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, theme.text);
}

} // namespace

const Theme& lightTheme()
{
    static const Theme kTheme{.dark = false,
                              .ground = 0xF3F5F8,
                              .toolBar = 0xFFFFFF,
                              .panel = 0xFFFFFF,
                              .panelBorder = 0xE1E5EB,
                              .field = 0xF4F6F8,
                              .fieldBorder = 0xE1E4EA,
                              .fieldHover = 0xE9EDF4,
                              .groove = 0xD9DEE6,
                              .text = 0x1B2130,
                              .mutedText = 0x656F7F,
                              .accent = 0x2F5FDE,
                              .accentSoft = 0xEDF2FD,
                              .onAccent = 0xFFFFFF,
                              .grid = 0xE9ECF1,
                              .positive = 0x0B7F53,
                              .warning = 0xA85A00,
                              .negative = 0xC0362C};
    return kTheme;
}

const Theme& darkTheme()
{
    static const Theme kTheme{.dark = true,
                              .ground = 0x14171C,
                              .toolBar = 0x1B2027,
                              .panel = 0x1B2027,
                              .panelBorder = 0x2A313A,
                              .field = 0x14181D,
                              .fieldBorder = 0x2A313A,
                              .fieldHover = 0x262D37,
                              .groove = 0x3A424E,
                              .text = 0xE9ECF1,
                              .mutedText = 0x9AA4B2,
                              .accent = 0x7AA2FF,
                              .accentSoft = 0x232B40,
                              .onAccent = 0x10141C,
                              .grid = 0x2A313A,
                              .positive = 0x3DC28A,
                              .warning = 0xF0A83C,
                              .negative = 0xFF7B72};
    return kTheme;
}

const Theme& lectureTheme()
{
    static const Theme kTheme = [] {
        Theme theme = lightTheme();
        theme.ground = 0xFFFFFF;
        theme.panelBorder = 0x8A93A0;
        theme.field = 0xFFFFFF;
        theme.fieldBorder = 0x8A93A0;
        theme.groove = 0xB4BBC6;
        theme.text = QColor(Qt::black);
        theme.mutedText = 0x3A424E;
        theme.accent = 0x1742B0;
        theme.accentSoft = 0xDCE6FB;
        theme.grid = 0xCDD3DC;
        theme.positive = 0x06603D;
        theme.warning = 0x7A4100;
        theme.negative = 0x9C1F17;
        return theme;
    }();
    return kTheme;
}

const Theme& systemTheme(const QPalette& palette)
{
    const Theme& contrast = lectureTheme();
    if (palette.color(QPalette::Window) == contrast.ground
        && palette.color(QPalette::WindowText) == contrast.text
        && palette.color(QPalette::Highlight) == contrast.accent) {
        return contrast;
    }
    return palette.color(QPalette::Window).lightnessF() < 0.5F ? darkTheme() : lightTheme();
}

const Theme& systemTheme()
{
    return systemTheme(QApplication::palette());
}

QPalette palette(const Theme& theme)
{
    QPalette palette;
    palette.setColor(QPalette::Window, theme.ground);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.panel);
    palette.setColor(QPalette::AlternateBase, theme.field);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.mutedText);
    palette.setColor(QPalette::Button, theme.field);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.negative);
    palette.setColor(QPalette::ToolTipBase, theme.panel);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Highlight, theme.accent);
    palette.setColor(QPalette::HighlightedText, theme.onAccent);
    palette.setColor(QPalette::Link, theme.accent);
    palette.setColor(QPalette::LinkVisited, theme.accent);
    palette.setColor(QPalette::Light, theme.panel);
    palette.setColor(QPalette::Midlight, theme.fieldHover);
    palette.setColor(QPalette::Mid, theme.fieldBorder);
    palette.setColor(QPalette::Dark, theme.groove);
    palette.setColor(QPalette::Shadow, theme.panelBorder);
    setDisabled(palette, theme);
    return palette;
}

void applyTheme(QApplication& application, const Theme& theme)
{
    static QPointer<ThemeStyle> style;
    const QPalette colours = palette(theme);
    if (style == nullptr) {
        style = new ThemeStyle(theme);
        QApplication::setStyle(style); // the application takes ownership
    } else {
        style->setTheme(theme); // keeping the style avoids polishing every widget again
    }
    QApplication::setPalette(colours);
    QToolTip::setPalette(colours);
    if (QApplication::font() != uiFont()) {
        QApplication::setFont(uiFont());
    }
    application.setStyleSheet(styleSheet(theme));
}

QColor colour(const Component& component)
{
    return QColor::fromRgb(component.rgb);
}

QColor lineColour(const Component& component, const Theme& theme)
{
    constexpr double kMin = 2.2;
    const QColor own = colour(component);
    QColor readable = own;
    for (double share = 0.05; contrast(readable, theme.panel) < kMin && share <= 1.0;
         share += 0.05) {
        readable = mixed(own, theme.text, share);
    }
    return readable;
}

double contrast(const QColor& a, const QColor& b)
{
    const double first = luminance(a);
    const double second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

QFont uiFont(double points, QFont::Weight weight)
{
    static const QString kInter = QStringLiteral("Inter");
    static const bool kHasInter = QFontDatabase::families().contains(kInter);
    static const QFont kSystem = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    QFont font = kSystem;
    if (kHasInter) {
        font.setFamily(kInter);
        font.setPointSizeF(9.75);
    }
    if (points > 0.0) {
        font.setPointSizeF(points);
    }
    font.setWeight(weight);
    return font;
}

double widthScale()
{
    static const double kScale = [] {
        constexpr int kPixels = 100;
        constexpr double kInter = 49.8; // mean width of these characters in Inter at that size
        const QString common = QStringLiteral("etaoinshrdlu 0123");
        QFont font = uiFont();
        font.setPixelSize(kPixels);
        const double mean =
            QFontMetricsF(font).horizontalAdvance(common) / static_cast<double>(common.size());
        return mean > kInter ? kInter / mean : 1.0;
    }();
    return kScale;
}

} // namespace flopsmith::ui
