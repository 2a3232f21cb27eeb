// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lecture/presenter_keys.h"

#include "ui/lessons/lesson_panel.h"
#include "ui/window/lecture/lecture_window.h"
#include "ui/window/lecture/speaker_screen.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>

#include <utility>

namespace flopsmith::ui {
namespace {

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

bool isKeyEvent(const QEvent& event)
{
    return event.type() == QEvent::KeyPress || event.type() == QEvent::KeyRelease
        || event.type() == QEvent::ShortcutOverride;
}

bool concernsLecture(const QEvent& event)
{
    return isKeyEvent(event) || event.type() == QEvent::MouseMove
        || event.type() == QEvent::WindowDeactivate;
}

PresenterKey meaningOf(const QKeyEvent& key)
{
    return presenterKey(key.key(), key.modifiers());
}

} // namespace

PresenterKeys::PresenterKeys(const SpeakerScreen& speaker, Press press)
    : m_speaker(speaker)
    , m_press(std::move(press))
{}

void PresenterKeys::start(LectureWindow& view)
{
    m_view = &view;
    qApp->installEventFilter(this);
}

void PresenterKeys::stop()
{
    qApp->removeEventFilter(this);
    m_view = nullptr;
}

bool PresenterKeys::isOurs(const QObject* watched) const
{
    const auto* widget = qobject_cast<const QWidget*>(watched);
    const QWidget* window = widget == nullptr ? nullptr : widget->window();
    return window != nullptr && (window == m_view || m_speaker.isIn(*window));
}

// Where a design is built, all but the lesson is its editor.
bool PresenterKeys::isForEditor(const QWidget& target) const
{
    const LessonPanel* lesson = m_view->lesson();
    return m_view->isBuilding() && &target != m_view && m_view->isAncestorOf(&target)
        && &target != lesson && (lesson == nullptr || !lesson->isAncestorOf(&target));
}

bool PresenterKeys::acts(const QKeyEvent& key, const QWidget& target) const
{
    const bool isTyped = takesTyping(&target)
        || (key.key() == Qt::Key_Space && qobject_cast<const QAbstractButton*>(&target) != nullptr);
    const bool endsDrag = key.key() == Qt::Key_Escape && target.property("takesEscape").toBool();
    return !endsDrag && meaningOf(key) != PresenterKey::none
        && ((!isTyped && !isForEditor(target)) || actsWhileTyping(key.key()));
}

bool PresenterKeys::eventFilter(QObject* watched, QEvent* event)
{
    if (!concernsLecture(*event) || !isOurs(watched)) {
        return QObject::eventFilter(watched, event);
    }
    if (event->type() == QEvent::WindowDeactivate) {
        setLecturer(false); // the release of Shift goes to another window
    } else if (event->type() == QEvent::MouseMove) {
        moveOverlay(*static_cast<QMouseEvent*>(event));
    } else if (filterKey(*static_cast<QWidget*>(watched), *static_cast<QKeyEvent*>(event))) {
        return true;
    }
    return QObject::eventFilter(watched, event);
}

void PresenterKeys::setLecturer(bool on)
{
    if (m_view->lesson() != nullptr) {
        m_view->lesson()->setLecturer(on);
    }
}

void PresenterKeys::moveOverlay(const QMouseEvent& move)
{
    m_view->overlay().moveTo(m_view->mapFromGlobal(move.globalPosition().toPoint()));
}

// Whether nothing else gets the key.
bool PresenterKeys::filterKey(const QWidget& watched, QKeyEvent& key)
{
    if (key.key() == Qt::Key_Shift) {
        setLecturer(key.type() == QEvent::KeyPress);
    }
    if (!acts(key, keyTarget(watched)) || key.type() == QEvent::KeyRelease) {
        return false;
    }
    key.accept();
    if (key.type() == QEvent::ShortcutOverride) {
        return true; // no shortcut of a page acts in place of the key
    }
    if (key.isAutoRepeat() && !mayRepeat(meaningOf(key))) {
        return true;
    }
    return m_press(meaningOf(key), key.key() - Qt::Key_0);
}

} // namespace flopsmith::ui

#include "moc_presenter_keys.cpp"
