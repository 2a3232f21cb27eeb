// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>

QT_BEGIN_NAMESPACE
class QAction;
class QScrollArea;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith {
struct LessonLab;
}

namespace flopsmith::ui {

class LabPage;
class MainWindow;

/// The place of the lab's page in the window, where else the design is; for an audience it fills the
/// screen. While the lab trains, nothing is measured by itself, and what is measured makes it wait:
/// both take the machine's time.
class LabPlace : public QObject
{
    Q_OBJECT

public:
    /// `design` is what the page takes the place of.
    LabPlace(MainWindow& window, QScrollArea& design, QScrollArea& area, LabPage& page);

    QAction& action() { return *m_action; }

    bool isShown() const;
    void show(bool shown);

    bool isPresented() const { return m_isPresented; }
    void present(bool on);

    /// For a lesson, which goes on when the page is left.
    void showForLesson(const LessonLab& lab, bool presented);

    /// When the window can measure.
    void connectMeasuring();

Q_SIGNALS:
    /// The page that was shown for a lesson is left.
    void lessonWanted();

private:
    void leave();
    void leaveForLesson();

    MainWindow& m_window;
    QScrollArea& m_design;
    QScrollArea& m_area;
    LabPage& m_page;
    QAction* m_action;
    QPointer<QWidget> m_focus; ///< in the design
    bool m_isPresented = false;
    bool m_isForLesson = false;
    bool m_wasDark = false;
    bool m_wasFullScreen = false;
    bool m_wasAutomatic = false;
    bool m_isTraining = false;
};

} // namespace flopsmith::ui
