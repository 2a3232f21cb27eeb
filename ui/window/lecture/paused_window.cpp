// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lecture/paused_window.h"

#include "ui/chart_pages/curve_measuring.h"
#include "ui/measuring/measuring_control.h"
#include "ui/theme/theme.h"
#include "ui/window/settings/window_theme.h"

namespace flopsmith::ui {

void PausedWindow::pause()
{
    m_focus = m_parts.window.focusWidget();
    saveTheme();
    m_automatic = m_parts.measuring.isAutomatic();
    m_leavesFullScreen = false;
    m_parts.measuring.setAutomatic(false);
    m_parts.measuring.cancel();
    m_parts.curves.cancel();
}

void PausedWindow::saveTheme()
{
    m_theme = &systemTheme();
}

void PausedWindow::restoreTheme()
{
    m_parts.theme.show(*m_theme);
}

void PausedWindow::resume()
{
    if (!m_parts.measuring.isAutomatic()) {
        m_parts.measuring.setAutomatic(m_automatic);
    }
    if (m_leavesFullScreen) {
        m_parts.window.setWindowState(m_parts.window.windowState() & ~Qt::WindowFullScreen);
    }
    m_parts.window.activateWindow();
    if (m_focus != nullptr) {
        m_focus->setFocus();
    }
}

} // namespace flopsmith::ui
