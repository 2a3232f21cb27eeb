// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart_pages/chart_pages.h"
#include "ui/document/designs.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/settings/window_theme.h"
#include "ui/window/window_options.h"

#include <QMainWindow>

QT_BEGIN_NAMESPACE
class QMenu;
class QScrollArea;
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

class CostFigures;
class DesignActions;
class DesignTabs;
class DropFrame;
class DesignPanels;
class ExercisePanel;
class Exercises;
class FileActions;
class FitDialog;
class LabPage;
class LabPlace;
class Lecture;
class LessonActions;
class PanelKeys;
class QuestionBars;
class StatusLine;
class TopBar;
class WindowMeasuring;

/// Flopsmith's main window: tool bar, palette, stack and inspector above, pages of charts below, a
/// status line at the bottom. It connects parts that know only the document.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    Document& document() { return m_document; }
    Designs& designs() { return m_designs; }
    DesignPanels& panels() { return *m_panels; }
    WindowMeasuring& measuring() { return *m_measuring; }
    MessageBar& messages() { return *m_messages; }
    FileActions& files() { return *m_files; }
    QuestionBars& questions() { return *m_questions; }
    StatusLine& status() { return *m_status; }
    TopBar& bar() { return *m_bar; }

    /// Opens a project, a config.json or a preset; shows a failure in the message bar.
    bool openFile(const QString& path);

    /// The same with a file that is dropped: it is read before unsaved changes are asked about.
    void openDropped(const QString& path);

    WindowTheme& theme() { return *m_theme; }

    /// One page large, for an audience.
    Lecture& lecture() { return *m_lecture; }

    /// Exercises, and the panel in which one is done.
    Exercises& exercises() { return *m_exercises; }
    /// Lessons of one's own.
    LessonActions& lessons() { return *m_lessons; }

    /// FFNs that learn beside each other, in place of the design or hidden.
    LabPage& lab() { return *m_lab; }
    LabPlace& labPlace() { return *m_labPlace; }

    /// Opens the search for a parameter's value that fits a budget, or brings it to the front.
    FitDialog& showFit();

    /// Opens the page of lessons.
    void showLessons();

    /// Opens the page with what one can start from.
    void showStartPage();

    /// Open the list of shortcuts and the dialog with version and licences.
    void showKeys();
    void showAbout();

    /// The parts that F6 cycles through, in tab order.
    QList<QWidget*> parts() const;

    /// Applies all pending updates now.
    void settle();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void createFrame();
    void createActions();
    void createUndoActions();
    void createLecture();
    void createLab();
    void createShareActions(QMenu& file);
    void fillEditMenu(QMenu& menu);
    void createViewMenu(QMenu& menu);
    void connectHistory(QAction& action);
    void createThemeActions(QMenu& menu);
    void createHelpMenu(QMenu& menu);
    void addLessons(QMenu& menu);
    void explainFocus();
    void orderFocus();
    void connectDocument();
    void restoreSettings();
    void showTitle();
    void connectTheme();

    Document m_document;
    Designs m_designs;
    WindowTheme* m_theme;
    TopBar* m_bar = nullptr;
    MessageBar* m_messages = nullptr;
    DropFrame* m_dropFrame = nullptr;
    QuestionBars* m_questions = nullptr;
    DesignActions* m_designActions = nullptr;
    DesignTabs* m_designTabs = nullptr;
    StatusLine* m_status = nullptr;
    DesignPanels* m_panels = nullptr;
    CostFigures* m_figures = nullptr;
    Exercises* m_exercises = nullptr;
    FileActions* m_files = nullptr;
    PanelKeys* m_panelKeys = nullptr;
    WindowMeasuring* m_measuring = nullptr;
    LabPage* m_lab = nullptr;
    QScrollArea* m_labArea = nullptr;
    LabPlace* m_labPlace = nullptr;
    Lecture* m_lecture = nullptr;
    LessonActions* m_lessons = nullptr;
};

} // namespace flopsmith::ui
