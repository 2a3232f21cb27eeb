// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart_pages/chart_pages.h"
#include "ui/window/main_window.h"
#include "ui/window/measuring/window_measuring.h"
#include "ui/window/panels/design_panels.h"
#include "ui/window/settings/window_theme.h"

namespace flopsmith::ui::test {

/// The window with its parts by short names.
class TestedWindow : public MainWindow
{
public:
    Document& document() { return *parts().document; }
    Designs& designs() { return *parts().designs; }
    WindowTheme& theme() { return *parts().theme; }
    TopBar& bar() { return *parts().bar; }
    HeadlineStrip& headline() { return *parts().headline; }
    MessageBar& messages() { return *parts().messages; }
    QuestionBars& questions() { return *parts().questions; }
    StatusLine& status() { return *parts().status; }
    StackView& stack() { return parts().panels->stack(); }
    StackPages& stackPages() { return parts().panels->stackPages(); }
    Palette& palettePanel() { return parts().panels->palette(); }
    Inspector& inspector() { return parts().panels->inspector(); }
    ExercisePanel& exercisePanel() { return parts().panels->exercise(); }
    ChartPages& pages() { return parts().panels->charts(); }
    ChartFeed& charts() { return pages().feed(); }
    const std::vector<ChartPanel*>& chartPanels() { return pages().panels(); }
    MeasuringControl& measuring() { return parts().measuring->control(); }
    CurveMeasuring& curves() { return parts().measuring->curves(); }
    ClaimsWindow& showClaims() { return parts().measuring->showClaims(); }
    DevicesWindow& showDevices() { return parts().measuring->showDevices(); }
    FileOpening& files() { return *parts().files; }
    FileSaving& saving() { return *parts().saving; }
    Lecture& lecture() { return *parts().lecture; }
    LessonActions& lessons() { return *parts().lessons; }
    Exercises& exercises() { return *parts().exercises; }
    LabPage& lab() { return *parts().lab; }
    LabPlace& labPlace() { return *parts().labPlace; }
};

} // namespace flopsmith::ui::test
