// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lecture/lecture.h"

#include "ui/chart_pages/curve_measuring.h"
#include "ui/measuring/measuring_control.h"
#include "ui/theme/theme.h"
#include "ui/window/lecture/lecture_pages.h"
#include "ui/window/lecture/lecture_window.h"
#include "ui/window/lecture/speaker_view.h"
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QScreen>
#include <QWindow>

#include <algorithm>
#include <array>

namespace flopsmith::ui {
namespace {

// The page of a lecture for each page of the window, in the order of these.
constexpr std::array<const char*, 8> kPagesOfWindow{
    "share", "memory", "waterfall", "design_space", "formulas", "tables", "claims", "compare"};

} // namespace

Lecture::Lecture(MainWindow& window)
    : QObject(&window)
    , m_window(window)
{}

Lecture::~Lecture() = default;

void Lecture::start(const QSize& size)
{
    if (isOn()) {
        return;
    }
    remember();
    m_window.measuring().setAutomatic(false);
    m_window.measuring().cancel();
    m_window.curves().cancel();
    m_window.showTheme(lectureTheme());
    openView(size);
    showPageOfWindow();
    qApp->installEventFilter(this);
    openSpeakerOnSecondScreen();
}

void Lecture::startFromFullScreen()
{
    start();
    m_leavesFullScreen = true;
}

void Lecture::remember()
{
    m_focus = m_window.focusWidget();
    m_dark = systemTheme(QApplication::palette()).dark;
    m_automatic = m_window.measuring().isAutomatic();
    m_leavesFullScreen = false;
}

void Lecture::openView(const QSize& size)
{
    const Document& document = m_window.document();
    m_view = std::make_unique<LectureWindow>(document.scenario(), document.lens());
    m_view->document().selectOperation(document.operation());
    m_view->pages().setRunTimes(m_window.charts().runTimes());
    connect(m_view.get(), &LectureWindow::closed, this, &Lecture::leave);
    connect(&m_view->pages(), &LecturePages::pageChanged, this, &Lecture::tellSpeaker);
    if (size.isEmpty()) {
        m_view->setGeometry(m_window.screen()->geometry());
        m_view->showFullScreen();
    } else {
        m_view->resize(size);
        m_view->show();
    }
    m_view->windowHandle()->setTransientParent(m_window.windowHandle()); // stays over it
    m_view->activateWindow();
    m_view->setFocus();
}

void Lecture::showPageOfWindow()
{
    const auto page = static_cast<std::size_t>(m_window.pages().current());
    if (page < kPagesOfWindow.size()) {
        m_view->pages().showPage(QLatin1String(kPagesOfWindow.at(page)));
    }
}

void Lecture::openSpeakerOnSecondScreen()
{
    const QList<QScreen*> screens = QGuiApplication::screens();
    const auto other = std::find_if(screens.begin(), screens.end(), [this](const QScreen* screen) {
        return screen != m_view->screen();
    });
    if (other != screens.end()) {
        showSpeaker(true);
        m_speaker->setGeometry((*other)->availableGeometry());
    }
}

void Lecture::showSpeaker(bool shown)
{
    if (m_speaker == nullptr) {
        m_speaker = std::make_unique<SpeakerView>();
    }
    m_speaker->setVisible(shown);
    tellSpeaker();
    m_view->activateWindow();
}

void Lecture::tellSpeaker()
{
    if (m_speaker == nullptr) {
        return;
    }
    const QStringList ids = LecturePages::ids();
    const auto next = ids.indexOf(m_view->pages().id()) + 1;
    m_speaker->setContent({.now = m_view->pages().title(),
                           .notes = {},
                           .next = next < ids.size() ? LecturePages::titleOf(ids.at(next))
                                                     : QString(),
                           .votes = {}});
}

void Lecture::leave()
{
    if (!isOn()) {
        return;
    }
    qApp->removeEventFilter(this);
    LectureWindow* view = m_view.release(); // a key of it may be on its way still
    view->disconnect(this);
    view->pages().disconnect(this);
    view->hide();
    view->deleteLater();
    m_speaker.reset();
    m_window.showTheme(m_dark ? darkTheme() : lightTheme());
    m_window.measuring().setAutomatic(m_automatic);
    if (m_leavesFullScreen) {
        m_window.setWindowState(m_window.windowState() & ~Qt::WindowFullScreen);
    }
    m_window.activateWindow();
    if (m_focus != nullptr) {
        m_focus->setFocus();
    }
}

bool Lecture::isOurs(const QObject* watched) const
{
    const auto* widget = qobject_cast<const QWidget*>(watched);
    const QWidget* window = widget == nullptr ? nullptr : widget->window();
    return window != nullptr && (window == m_view.get() || window == m_speaker.get());
}

bool Lecture::eventFilter(QObject* watched, QEvent* event)
{
    const auto type = event->type();
    if ((type != QEvent::KeyPress && type != QEvent::MouseMove) || !isOurs(watched)) {
        return QObject::eventFilter(watched, event);
    }
    if (type == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        m_view->overlay().moveTo(m_view->mapFromGlobal(mouse->globalPosition().toPoint()));
        return QObject::eventFilter(watched, event);
    }
    auto* key = static_cast<QKeyEvent*>(event);
    const bool isTyped = qobject_cast<QLineEdit*>(watched) != nullptr;
    const bool isPressed =
        key->key() == Qt::Key_Space && qobject_cast<QAbstractButton*>(watched) != nullptr;
    const PresenterKey meant = presenterKey(key->key(), key->modifiers());
    if (meant == PresenterKey::none || isPressed || (isTyped && !actsWhileTyping(key->key()))) {
        return QObject::eventFilter(watched, event);
    }
    key->accept();
    if (meant == PresenterKey::notes) {
        showSpeaker(m_speaker == nullptr || !m_speaker->isVisible());
        return true;
    }
    return m_view->press(meant) || QObject::eventFilter(watched, event);
}

} // namespace flopsmith::ui
