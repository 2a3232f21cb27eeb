// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/teach/play/lesson_play.h"
#include "ui/window/lecture/paused_window.h"
#include "ui/window/lecture/presenter_keys.h"
#include "ui/window/lecture/speaker_screen.h"

#include <QObject>
#include <QSize>

#include <memory>

namespace flopsmith::ui {

class ChartPages;
class CurveMeasuring;
class Document;
class LectureWindow;
class LessonJudging;
class MeasuringControl;
class MessageBar;
class PlayedFile;
class SpeakerView;
class WindowTheme;

/// Lecture mode: puts a LectureWindow over the window, and what the lecturer needs on a second
/// screen. While it is on, its keys are those of a presenter, and nothing is measured by itself.
/// Leaving it restores theme, focus and measuring; the design was never touched.
class Lecture : public QObject
{
    Q_OBJECT

public:
    /// The window, and what of it is shown, put aside and used meanwhile.
    struct Presented
    {
        QWidget& window;
        const Document& document;
        ChartPages& charts;
        MeasuringControl& measuring;
        CurveMeasuring& curves;
        MessageBar& messages;
        WindowTheme& theme;
    };

    explicit Lecture(const Presented& presented);
    ~Lecture() override;

    bool isOn() const { return m_view != nullptr; }

    /// Null while it is off.
    LectureWindow* view() const { return m_view.get(); }
    SpeakerView* speaker() const { return m_speaker.view(); }

    /// Fills the screen or, with a size, a window of that size. Does nothing while it is on.
    void start(const QSize& size = {});

    /// Plays a lesson from its current step on, in a window of its own or on the whole screen.
    void startPlay(LessonPlay play, bool fullScreen = false);

    /// The same from the first step on. A lesson that cannot be played says why in the window's
    /// message bar, and is false.
    bool startLesson(const Lesson& lesson, bool fullScreen = false);

    /// Plays the lesson in a file. Whatever is wrong with it later, or with its answers, is said
    /// beside the lesson, which goes on; a changed file is taken at the same step.
    bool startLessonFile(const QString& path, bool fullScreen = false);

    /// From a window that fills the screen: leaving leaves that as well.
    void startFromFullScreen();

    void leave();

    /// Shows it again after a lab that a lesson has led to.
    void resume();

Q_SIGNALS:
    /// A lesson leads to a lab; it waits where it is until resume().
    void labRequested(const LessonLab& lab, bool presented);

private:
    bool refuse(const Error& error);
    void openView();
    void showView(const QSize& size);
    void setFullScreen(bool on);
    void showLab(const LessonLab& lab);
    bool press(PresenterKey key, int number);
    void showPageOfWindow();

    Presented m_own;
    PausedWindow m_paused;
    SpeakerScreen m_speaker;
    std::unique_ptr<LectureWindow> m_view;
    std::unique_ptr<PlayedFile> m_file; ///< null if the lesson has none
    LessonJudging* m_judging;
    PresenterKeys m_keys; ///< last, so that none comes while the others end
};

} // namespace flopsmith::ui
