// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lecture/lecture.h"

#include "core/teach/play/lesson_play.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/jobs/lesson_judging.h"
#include "ui/lessons/base/lesson_file.h"
#include "ui/lessons/base/lesson_library.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/measuring/measuring_control.h"
#include "ui/theme/theme.h"
#include "ui/widgets/layout/fit_screen.h"
#include "ui/window/lecture/lecture_pages.h"
#include "ui/window/lecture/lecture_window.h"
#include "ui/window/lecture/played_file.h"
#include "ui/window/settings/window_theme.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QScreen>
#include <QWindow>

#include <array>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr QSize kLessonSize(1240, 800);

// The page of a lecture for each page of the window, in the order of these.
constexpr std::array<const char*, 8> kPagesOfWindow{"share",
                                                    "memory",
                                                    "waterfall",
                                                    "design_space",
                                                    "formulas",
                                                    "tables",
                                                    "folklore",
                                                    "compare"};

// The widget that a key is sent to first: what it leaves goes on to those around it.
const QWidget& keyTarget(const QWidget& watched)
{
    const QWidget* focus = watched.window()->focusWidget();
    return focus != nullptr && watched.isAncestorOf(focus) ? *focus : watched;
}

// Of a key that is held: a page too far or a reveal too early is more than was meant.
bool mayRepeat(PresenterKey key)
{
    return key == PresenterKey::larger || key == PresenterKey::smaller;
}

bool takesTyping(const QObject* widget)
{
    return qobject_cast<const QLineEdit*>(widget) != nullptr
        || qobject_cast<const QAbstractSpinBox*>(widget) != nullptr;
}

} // namespace

Lecture::Lecture(const Presented& presented)
    : QObject(&presented.window)
    , m_own(presented)
    , m_paused({.window = presented.window,
                .measuring = presented.measuring,
                .curves = presented.curves,
                .theme = presented.theme})
    , m_judging(new LessonJudging(this))
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

bool Lecture::startLesson(const Lesson& lesson, bool fullScreen, int step)
{
    Result<LessonPlay> play = LessonPlay::started(lesson, usualLanguage().toStdString());
    if (!play) {
        return refuse(play.error());
    }
    leave();
    openView();
    play->goTo(step);
    m_view->setPresenting(fullScreen);
    m_view->startLesson(std::move(play).value());
    if (fullScreen) {
        m_own.theme.show(lectureTheme());
    }
    showView(fullScreen ? QSize()
                        : fittingSize(kLessonSize, m_own.window.screen()->availableSize()));
    return true;
}

bool Lecture::startLessonFile(const QString& path, bool fullScreen)
{
    const Result<Lesson> lesson = lessonOfFile(path);
    if (!lesson) {
        return refuse(lesson.error());
    }
    if (const auto play = LessonPlay::started(*lesson, usualLanguage().toStdString()); !play) {
        return refuse({QFileInfo(path).fileName().toStdString() + ": " + play.error().message});
    }
    if (!startLesson(*lesson, fullScreen)) {
        return false;
    }
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
    qApp->installEventFilter(this);
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
    const auto page = static_cast<std::size_t>(m_own.charts.current());
    if (page < kPagesOfWindow.size()) {
        m_view->pages().showPage(QLatin1String(kPagesOfWindow.at(page)));
    }
}

void Lecture::leave()
{
    if (!isOn()) {
        return;
    }
    qApp->removeEventFilter(this);
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

bool Lecture::isOurs(const QObject* watched) const
{
    const auto* widget = qobject_cast<const QWidget*>(watched);
    const QWidget* window = widget == nullptr ? nullptr : widget->window();
    return window != nullptr && (window == m_view.get() || m_speaker.isIn(*window));
}

// Where a design is built, all but the lesson is its editor.
bool Lecture::isForEditor(const QWidget& target) const
{
    const LessonPanel* lesson = m_view->lesson();
    return m_view->isBuilding() && &target != m_view.get() && m_view->isAncestorOf(&target)
        && &target != lesson && (lesson == nullptr || !lesson->isAncestorOf(&target));
}

bool Lecture::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::WindowDeactivate && isOurs(watched)
        && m_view->lesson() != nullptr) {
        m_view->lesson()->setLecturer(false); // the release of Shift goes to another window
    }
    const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::KeyRelease
        || event->type() == QEvent::ShortcutOverride;
    if ((!isKey && event->type() != QEvent::MouseMove) || !isOurs(watched)) {
        return QObject::eventFilter(watched, event);
    }
    if (!isKey) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        m_view->overlay().moveTo(m_view->mapFromGlobal(mouse->globalPosition().toPoint()));
        return QObject::eventFilter(watched, event);
    }
    auto& key = *static_cast<QKeyEvent*>(event);
    if (key.key() == Qt::Key_Shift && m_view->lesson() != nullptr) {
        m_view->lesson()->setLecturer(event->type() == QEvent::KeyPress);
    }
    const QWidget& target = keyTarget(*qobject_cast<QWidget*>(watched));
    const bool isTyped = takesTyping(&target)
        || (key.key() == Qt::Key_Space && qobject_cast<const QAbstractButton*>(&target) != nullptr);
    const bool endsDrag = key.key() == Qt::Key_Escape && target.property("takesEscape").toBool();
    const bool acts = !endsDrag && presenterKey(key.key(), key.modifiers()) != PresenterKey::none
        && ((!isTyped && !isForEditor(target)) || actsWhileTyping(key.key()));
    if (!acts || event->type() == QEvent::KeyRelease) {
        return QObject::eventFilter(watched, event);
    }
    key.accept();
    if (event->type() == QEvent::ShortcutOverride) {
        return true; // no shortcut of a page acts in place of the key
    }
    if (key.isAutoRepeat() && !mayRepeat(presenterKey(key.key(), key.modifiers()))) {
        return true;
    }
    return press(key) || QObject::eventFilter(watched, event);
}

bool Lecture::press(const QKeyEvent& key)
{
    const PresenterKey meant = presenterKey(key.key(), key.modifiers());
    if (meant == PresenterKey::notes) {
        m_speaker.toggle(*m_view);
        return true;
    }
    if (meant == PresenterKey::fullScreen && m_view->lesson() != nullptr) {
        setFullScreen(!m_view->isPresenting());
        return true;
    }
    return m_view->press(meant, key.key() - Qt::Key_0);
}

} // namespace flopsmith::ui

#include "moc_lecture.cpp"
