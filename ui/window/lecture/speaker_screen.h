// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <memory>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

class LectureWindow;
class SpeakerView;

/// Shows what the lecturer alone sees: on a second screen, if there is one, or where a key opens it.
class SpeakerScreen
{
public:
    SpeakerScreen();
    ~SpeakerScreen();
    SpeakerScreen(const SpeakerScreen&) = delete;
    SpeakerScreen& operator=(const SpeakerScreen&) = delete;

    /// Null until it is first shown, and after close().
    SpeakerView* view() const { return m_view.get(); }

    /// Whether this is the window of the speaker's view.
    bool isIn(const QWidget& window) const;

    /// Fills a screen that the lecture is not on; nothing if there is only one.
    void openBeside(LectureWindow& lecture);

    /// Shows or hides it for this lecture.
    void toggle(LectureWindow& lecture);

    /// Shows what the lecture shows now, and what comes next.
    void update(LectureWindow& lecture);

    void close();

private:
    void show(LectureWindow& lecture, bool shown);

    std::unique_ptr<SpeakerView> m_view;
};

} // namespace flopsmith::ui
