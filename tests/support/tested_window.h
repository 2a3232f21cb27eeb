// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart_pages/chart_pages.h"
#include "ui/window/main_window.h"
#include "ui/window/measuring/window_measuring.h"
#include "ui/window/panels/design_panels.h"

namespace flopsmith::ui::test {

/// The window with its parts by short names.
class TestedWindow : public MainWindow
{
public:
    StackView& stack() { return panels().stack(); }
    StackPages& stackPages() { return panels().stackPages(); }
    Palette& palettePanel() { return panels().palette(); }
    Inspector& inspector() { return panels().inspector(); }
    ExercisePanel& exercisePanel() { return panels().exercise(); }
    ChartPages& pages() { return panels().charts(); }
    ChartFeed& charts() { return pages().feed(); }
    MeasuringControl& measuring() { return MainWindow::measuring().control(); }
    CurveMeasuring& curves() { return MainWindow::measuring().curves(); }
    ClaimsWindow& showClaims() { return MainWindow::measuring().showClaims(); }
    DevicesWindow& showDevices() { return MainWindow::measuring().showDevices(); }
    const std::vector<ChartPanel*>& chartPanels() { return pages().panels(); }
};

} // namespace flopsmith::ui::test
