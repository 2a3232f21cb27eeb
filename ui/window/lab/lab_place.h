// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QList>
#include <QObject>
#include <QPointer>

QT_BEGIN_NAMESPACE
class QAction;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith {
struct LessonLab;
}

namespace flopsmith::ui {

class LabPage;
class MeasuringControl;
class WindowTheme;

/// The place of the lab's page in the window, where else the design is; for an audience it fills the
/// screen. While the lab trains, nothing is measured by itself, and what is measured makes it wait:
/// both take the machine's time.
class LabPlace : public QObject
{
    Q_OBJECT

public:
    /// The widgets of the window that make room for the page.
    struct Surroundings
    {
        QWidget& window;
        QList<QWidget*> design; ///< what the page takes the place of
        QWidget&
            stack; ///< has the focus afterwards, unless another part of the design had it before
        QList<QWidget*> bars; ///< hidden from an audience
    };

    /// `area` holds the page.
    LabPlace(const Surroundings& around,
             WindowTheme& theme,
             MeasuringControl& measuring,
             QWidget& area,
             LabPage& page);

    QAction& action() { return *m_action; }

    bool isShown() const;
    void show(bool shown);

    bool isPresented() const { return m_isPresented; }
    void present(bool on);

    /// Makes the lab fill the screen, or no longer; false while it is not shown.
    bool togglePresented();

    /// For a lesson, which goes on when the page is left.
    void showForLesson(const LessonLab& lab, bool presented);

Q_SIGNALS:
    /// The page stands in place of the design, or that is back.
    void shownChanged();

    /// The page that was shown for a lesson is left.
    void lessonRequested();

private:
    void connectMeasuring();
    void leave();
    void leaveForLesson();

    Surroundings m_around;
    WindowTheme& m_theme;
    MeasuringControl& m_measuring;
    QWidget& m_area;
    LabPage& m_page;
    QAction* m_action;
    QPointer<QWidget> m_focus; ///< in the design
    bool m_isPresented = false;
    bool m_isForLesson = false;
    const Theme* m_before = &systemTheme(); ///< shown again when the audience is gone
    bool m_wasFullScreen = false;
    bool m_wasAutomatic = false;
    bool m_isTraining = false;
};

} // namespace flopsmith::ui
