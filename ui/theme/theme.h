// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/count/component.h"

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

QT_BEGIN_NAMESPACE
class QApplication;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// The colours of a theme: calm panels on a soft background, thin borders, one accent. Component
/// colours are not part of it, because they are the same in every theme.
struct Theme
{
    bool dark = false;
    QColor ground; ///< behind the panels
    QColor toolBar; ///< top and status bar
    QColor panel;
    QColor panelBorder;
    QColor field; ///< buttons, boxes and rows inside a panel
    QColor fieldBorder;
    QColor fieldHover;
    QColor groove; ///< empty part of sliders and bars
    QColor text;
    QColor mutedText; ///< at least 4.5:1 on panel and field
    QColor accent;
    QColor accentSoft; ///< selected rows and blocks
    QColor onAccent; ///< text on the accent
    QColor grid; ///< lines behind curves
    QColor positive;
    QColor warning;
    QColor negative;
};

const Theme& lightTheme();
const Theme& darkTheme();

/// Light with more contrast: for a projector in a bright room, and for eyes that need it.
const Theme& lectureTheme();

/// The theme that a palette is of, by default the application's; of a palette of no theme the one that
/// matches its lightness: "system" in Qt 6.4. (Two functions: a reference from a temporary palette looks as if it dangled.)
const Theme& systemTheme(const QPalette& palette);
const Theme& systemTheme();

/// The style sheet of the whole application, on top of the style that applyTheme() sets. Roles
/// that a widget takes by a dynamic property:
///   panel=true        rounded panel with a thin border
///   role="title"      heading of a panel; "section": heading of a part of it; "muted"; "figure";
///                     "positive", "warning", "error": text in the colour of that meaning
///   primary=true      the one important push button; flat=true: a button without a frame
///   flush=true        a list without a frame, a button without side padding
///   narrow=true       a push button with little side padding
///   chip=true         a rounded box that holds a label and a value
QString styleSheet(const Theme& theme);
QPalette palette(const Theme& theme);

/// Sets style, palette, font and style sheet of the application. May be called again to change the
/// theme. The style draws sliders: a dynamic property "accent" (QColor) gives a slider its
/// component's colour, and a click into the groove moves the handle there.
void applyTheme(QApplication& application, const Theme& theme);

QColor colour(const Component& component);

/// The colour of a thin line of the component: its own, or, if that has a contrast below 2.2:1 on
/// the panel, one closer to the text's colour. Dashes and labels distinguish lines too.
QColor lineColour(const Component& component, const Theme& theme);

/// Contrast ratio of two opaque colours, 1 … 21 (WCAG 2.1, relative luminance).
double contrast(const QColor& a, const QColor& b);

/// Inter if it is installed, otherwise the system's font. 0 `points` is the application's default
/// size.
QFont uiFont(double points = 0.0, QFont::Weight weight = QFont::Normal);

/// The factor for sizes that were chosen for Inter: 1, or less if the window's font is wider, so
/// that a line holds as much text.
double widthScale();

} // namespace flopsmith::ui
