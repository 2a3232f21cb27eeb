// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lecture/lecture.h"

#include "core/share/shared_page.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/jobs/lesson_judging.h"
#include "ui/lessons/base/lesson_file.h"
#include "ui/lessons/base/lesson_library.h"
#include "ui/measuring/measuring_control.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/layout/fit_screen.h"
#include "ui/window/lecture/lecture_pages.h"
#include "ui/window/lecture/lecture_window.h"
#include "ui/window/lecture/played_file.h"
#include "ui/window/settings/window_theme.h"

#include <QFileInfo>
#include <QScreen>
#include <QWindow>

#include <utility>

namespace flopsmith::ui {
namespace {

constexpr QSize kLessonSize(1240, 800);

} // namespace

Lecture::Lecture(const Presented& presented)
    : QObject(&presented.window)
    , m_own(presented)
    , m_paused({.window = presented.window,
                .measuring = presented.measuring,
                .curves = presented.curves,
                .theme = presented.theme})
    , m_judging(new LessonJudging(this))
    , m_keys(m_speaker, [this](PresenterKey key, int number) { return press(key, number); })
{}

Lecture::~Lecture() = default;

void Lecture::start(const QSize& size)
{
    if (isOn()) {
        return;
    }
    openView();
    m_own.theme.show(lectureTheme());
    m_view->document().selectOperation(m_own.document.operation());
    m_view->pages().setRunTimes(m_own.charts.feed().runTimes());
    m_view->pages().compareTimesOn(m_own.measuring.device(), m_own.measuring.store());
    showPageOfWindow();
    showView(size);
}

bool Lecture::refuse(const Error& error)
{
    m_own.messages.show(MessageBar::Kind::error, QString::fromStdString(error.message));
    return false;
}

bool Lecture::startLesson(const Lesson& lesson, bool fullScreen)
{
    Result<LessonPlay> play = LessonPlay::started(lesson, usualLanguage().toStdString());
    if (!play) {
        return refuse(play.error());
    }
    startPlay(std::move(play).value(), fullScreen);
    return true;
}

void Lecture::startPlay(LessonPlay play, bool fullScreen)
{
    leave();
    openView();
    m_view->setPresenting(fullScreen);
    m_view->startLesson(std::move(play));
    if (fullScreen) {
        m_own.theme.show(lectureTheme());
    }
    showView(fullScreen ? QSize()
                        : fittingSize(kLessonSize, m_own.window.screen()->availableSize()));
}

bool Lecture::startLessonFile(const QString& path, bool fullScreen)
{
    const Result<Lesson> lesson = lessonOfFile(path);
    if (!lesson) {
        return refuse(lesson.error());
    }
    Result<LessonPlay> play = LessonPlay::started(*lesson, usualLanguage().toStdString());
    if (!play) {
        return refuse({QFileInfo(path).fileName().toStdString() + ": " + play.error().message});
    }
    startPlay(std::move(play).value(), fullScreen);
    m_file = std::make_unique<PlayedFile>(path, *m_view->lesson(), *m_judging);
    return true;
}

void Lecture::startFromFullScreen()
{
    start();
    m_paused.leaveFullScreen();
}

void Lecture::openView()
{
    m_paused.pause();
    const Document& document = m_own.document;
    m_view = std::make_unique<LectureWindow>(document.scenario(), document.lens());
    connect(m_view.get(), &LectureWindow::closed, this, &Lecture::leave);
    connect(m_view.get(), &LectureWindow::progressed, this, [this] { m_speaker.update(*m_view); });
    connect(m_view.get(), &LectureWindow::labRequested, this, &Lecture::showLab);
    m_keys.start(*m_view);
}

void Lecture::showView(const QSize& size)
{
    if (size.isEmpty()) {
        m_view->setGeometry(m_own.window.screen()->geometry());
        m_view->showFullScreen();
    } else {
        m_view->resize(size);
        m_view->show();
    }
    m_view->windowHandle()->setTransientParent(m_own.window.windowHandle()); // stays over it
    m_view->activateWindow();
    m_view->setFocus();
    if (m_view->isPresenting()) {
        m_speaker.openBeside(*m_view);
    }
}

// The lesson waits where it is.
void Lecture::showLab(const LessonLab& lab)
{
    const bool presented = m_view->isPresenting();
    m_view->hide();
    Q_EMIT labRequested(lab, presented);
}

void Lecture::resume()
{
    if (!isOn() || m_view->isVisible()) {
        return;
    }
    if (m_view->isPresenting()) {
        m_own.theme.show(lectureTheme()); // the lab had the window's own when it was left
        m_view->showFullScreen();
    } else {
        m_view->show();
    }
    m_view->activateWindow();
    m_view->setFocus();
}

// A lesson goes from its window to the whole screen and back.
void Lecture::setFullScreen(bool on)
{
    if (on) {
        m_paused.saveTheme();
        m_own.theme.show(lectureTheme());
    } else {
        m_paused.restoreTheme();
    }
    m_view->setPresenting(on); // after the theme, which its charts take
    if (on) {
        m_view->showFullScreen();
        m_speaker.openBeside(*m_view);
    } else {
        m_view->showNormal();
    }
}

void Lecture::showPageOfWindow()
{
    const std::string page = m_own.charts.currentName().toStdString();
    m_view->pages().showPage(fromUtf8(viewOfPage(page)));
}

void Lecture::leave()
{
    if (!isOn()) {
        return;
    }
    m_keys.stop();
    m_file.reset();
    const bool presented = m_view->isPresenting();
    LectureWindow* view = m_view.release(); // a key of it may be on its way still
    view->disconnect(this);
    view->hide();
    view->deleteLater();
    m_speaker.close();
    if (presented) {
        m_paused.restoreTheme();
    }
    m_paused.resume();
}

bool Lecture::press(PresenterKey key, int number)
{
    if (key == PresenterKey::notes) {
        m_speaker.toggle(*m_view);
        return true;
    }
    if (key == PresenterKey::fullScreen && m_view->lesson() != nullptr) {
        setFullScreen(!m_view->isPresenting());
        return true;
    }
    return m_view->press(key, number);
}

} // namespace flopsmith::ui

#include "moc_lecture.cpp"
