// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/lecture/presenter_key.h"

#include <QObject>

#include <functional>

QT_BEGIN_NAMESPACE
class QKeyEvent;
class QMouseEvent;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

class LectureWindow;
class SpeakerScreen;

/// Keys and pointer of a lecture: in its window and in the speaker's view, keys are those of a
/// presenter, Shift recognises the lecturer, and the overlay follows the pointer.
class PresenterKeys : public QObject
{
    Q_OBJECT

public:
    /// Does what a key means, 1 … 5 with its number; false if it means nothing now.
    using Press = std::function<bool(PresenterKey key, int number)>;

    PresenterKeys(const SpeakerScreen& speaker, Press press);

    /// Takes the keys of this window and of the speaker's view until stop().
    void start(LectureWindow& view);
    void stop();

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool isOurs(const QObject* watched) const;
    bool isForEditor(const QWidget& target) const;
    bool acts(const QKeyEvent& key, const QWidget& target) const;
    bool filterKey(const QWidget& watched, QKeyEvent& key);
    void setLecturer(bool on);
    void moveOverlay(const QMouseEvent& move);

    const SpeakerScreen& m_speaker;
    Press m_press;
    LectureWindow* m_view = nullptr; ///< null after stop()
};

} // namespace flopsmith::ui
