// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

QT_BEGIN_NAMESPACE
class QMainWindow;
QT_END_NAMESPACE

namespace flopsmith::ui {

class ColumnActions;
class CommandPalette;
class DesignActions;
class DesignPanels;
class Designs;
class DesignTabs;
class Document;
class Exercises;
class FileOpening;
class FileSaving;
class Headline;
class HeadlineStrip;
class LabPage;
class LabPlace;
class Lecture;
class LessonActions;
class MessageBar;
class PanelKeys;
class QuestionBars;
class StatusLine;
class TopBar;
class WindowMeasuring;
class WindowTheme;

/// What the main window is made of, for those who put it together and for those who drive it. A part
/// itself is given only the others that it needs. All are there once the window is.
struct WindowParts
{
    QMainWindow* window = nullptr;
    Document* document = nullptr;
    Designs* designs = nullptr;
    WindowTheme* theme = nullptr;

    // the bars
    TopBar* bar = nullptr;
    HeadlineStrip* headline = nullptr;
    Headline* figures = nullptr; ///< of the headline
    MessageBar* messages = nullptr;
    QuestionBars* questions = nullptr;
    StatusLine* status = nullptr;

    // the design and those beside it
    DesignActions* designActions = nullptr;
    DesignTabs* designTabs = nullptr;
    ColumnActions* columns = nullptr;
    DesignPanels* panels = nullptr;

    // what can be done with it
    FileOpening* files = nullptr;
    FileSaving* saving = nullptr;
    WindowMeasuring* measuring = nullptr;
    CommandPalette* commands = nullptr;
    PanelKeys* panelKeys = nullptr;

    // what can be learned
    LabPage* lab = nullptr;
    LabPlace* labPlace = nullptr; ///< in place of the design, or hidden
    Lecture* lecture = nullptr; ///< one page large, for an audience
    LessonActions* lessons = nullptr; ///< of one's own
    Exercises* exercises = nullptr;
};

} // namespace flopsmith::ui
