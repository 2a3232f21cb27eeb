// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lab/lab_place.h"

#include "core/teach/format/lesson.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/lab_session.h"
#include "ui/lab/play_bar.h"
#include "ui/measuring/measuring_control.h"
#include "ui/theme/display_scale.h"
#include "ui/theme/theme.h"
#include "ui/widgets/layout/tab_order.h"
#include "ui/window/settings/window_theme.h"

#include <QAction>

namespace flopsmith::ui {

LabPlace::LabPlace(const Surroundings& around,
                   WindowTheme& theme,
                   MeasuringControl& measuring,
                   QWidget& area,
                   LabPage& page)
    : QObject(&around.window)
    , m_around(around)
    , m_theme(theme)
    , m_measuring(measuring)
    , m_area(area)
    , m_page(page)
    , m_action(new QAction(tr("La&b: does it learn?"), this))
{
    m_action->setObjectName(QStringLiteral("view.lab"));
    m_action->setShortcut(QKeySequence(tr("Ctrl+Shift+K")));
    m_action->setCheckable(true);
    m_action->setToolTip(tr("Train FFNs side by side, live"));
    m_area.hide();
    m_around.window.addActions({&m_page.playBar().play(), &m_page.playBar().step()});
    connect(m_action, &QAction::triggered, this, &LabPlace::show);
    connect(&m_page, &LabPage::left, this, &LabPlace::leave);
    connect(&m_page, &LabPage::requested, this, [this] { show(true); });
    connectMeasuring();
}

bool LabPlace::isShown() const
{
    return !m_area.isHidden();
}

void LabPlace::show(bool shown)
{
    m_action->setChecked(shown);
    if (shown == isShown()) {
        return;
    }
    if (shown) {
        m_focus = m_around.window.focusWidget();
    }
    for (QWidget* part : m_around.design) {
        part->setVisible(!shown);
    }
    m_area.setVisible(shown);
    if (QWidget* first = shown ? firstFocus(*m_page.parts().at(1)) : m_focus.data()) {
        first->setFocus(Qt::OtherFocusReason);
    } else if (!shown) {
        m_around.stack.setFocus();
    }
    if (!shown) {
        present(false); // the design has its bars
    }
    Q_EMIT shownChanged();
    if (!shown && m_isForLesson) {
        leaveForLesson();
    }
}

void LabPlace::showForLesson(const LessonLab& lab, bool presented)
{
    m_isForLesson = true;
    m_page.setBack(tr("lesson"), tr("Back to the lesson"));
    m_page.compare(lab.task, lab.arms);
    show(true);
    present(presented);
    m_around.window.activateWindow();
}

void LabPlace::leaveForLesson()
{
    m_isForLesson = false;
    m_page.setBack(tr("design"), tr("Back to the design"));
    Q_EMIT lessonRequested();
}

// Out of the large view first.
void LabPlace::leave()
{
    if (m_isPresented && !m_isForLesson) {
        present(false);
    } else {
        show(false);
    }
}

void LabPlace::present(bool on)
{
    if (on == m_isPresented) {
        return;
    }
    m_isPresented = on;
    if (on) {
        m_before = &systemTheme();
        m_wasFullScreen = m_around.window.isFullScreen();
    }
    m_theme.show(on ? lectureTheme() : *m_before);
    m_page.setScale(on ? lectureScale(kMinLecturePoints) : DisplayScale{});
    for (QWidget* bar : m_around.bars) {
        bar->setVisible(!on);
    }
    if (!m_wasFullScreen) {
        m_around.window.setWindowState(
            m_around.window.windowState().setFlag(Qt::WindowFullScreen, on));
    }
}

bool LabPlace::togglePresented()
{
    if (isShown()) {
        present(!m_isPresented);
    }
    return isShown();
}

void LabPlace::connectMeasuring()
{
    LabSession& session = m_page.session();
    connect(&session, &LabSession::stateChanged, this, [this, &session] {
        const bool trains = session.state() == LabSession::State::training;
        if (trains == m_isTraining) {
            return;
        }
        m_isTraining = trains;
        if (trains) {
            m_wasAutomatic = m_measuring.isAutomatic();
            m_measuring.setAutomatic(false);
            m_measuring.cancel();
        } else if (!m_measuring.isAutomatic()) {
            m_measuring.setAutomatic(m_wasAutomatic);
        }
    });
    connect(&m_measuring, &MeasuringControl::progressed, &session, [&session](int, int total) {
        if (total > 0) {
            session.pause();
        }
    });
}

} // namespace flopsmith::ui

#include "moc_lab_place.cpp"
