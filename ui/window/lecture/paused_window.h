// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QPointer>
#include <QWidget>

namespace flopsmith::ui {

class CurveMeasuring;
class MeasuringControl;
class WindowTheme;

/// The window behind a lecture: it measures nothing by itself, and gets back its theme, focus and
/// measuring after it.
class PausedWindow
{
public:
    struct Parts
    {
        QWidget& window;
        MeasuringControl& measuring;
        CurveMeasuring& curves;
        WindowTheme& theme;
    };

    explicit PausedWindow(const Parts& parts)
        : m_parts(parts)
    {}

    /// Saves what resume() restores, and ends all measuring.
    void pause();

    /// The window fills the screen: resume() ends that as well.
    void leaveFullScreen() { m_leavesFullScreen = true; }

    /// Saves the theme again, which may have been chosen since.
    void saveTheme();
    void restoreTheme();

    /// Restores all but the theme.
    void resume();

private:
    Parts m_parts;
    QPointer<QWidget> m_focus;
    const Theme* m_theme = &systemTheme(); ///< of the window before
    bool m_automatic = false; ///< whether measuring started by itself
    bool m_leavesFullScreen = false;
};

} // namespace flopsmith::ui
