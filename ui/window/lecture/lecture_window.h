// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/play/lesson_play.h"
#include "ui/document/document.h"
#include "ui/lessons/base/lesson_stage.h"
#include "ui/theme/display_scale.h"
#include "ui/window/lecture/lecture_overlay.h"
#include "ui/window/lecture/presenter_key.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QBoxLayout;
class QLabel;
class QKeyEvent;
QT_END_NAMESPACE

namespace flopsmith::ui {

class Inspector;
class LecturePages;
class LectureSliders;
class LessonPanel;

/// What an audience sees: one page, large, with a few parameters below it, and a lesson that leads
/// through them. It works on a copy of the design, so that the window's own stays as it is.
class LectureWindow
    : public QWidget
    , public LessonStage
{
    Q_OBJECT

public:
    LectureWindow(const Scenario& scenario, LensId lens);
    ~LectureWindow() override;

    Document& document() { return m_document; }
    LecturePages& pages() { return *m_pages; }
    LectureSliders& sliders() { return *m_sliders; }
    LectureOverlay& overlay() { return *m_overlay; }

    /// For a projector, with a lesson in a band below the page; or as in any window, with the lesson
    /// beside it.
    void setPresenting(bool on);
    bool isPresenting() const { return m_presenting; }
    const DisplayScale& scale() const { return m_scale; }

    /// Plays a lesson from its start. Its end closes the window.
    void startLesson(LessonPlay play);

    /// Null without a lesson.
    LessonPanel* lesson() const { return m_lesson; }

    /// Does what the key means here, 1 … 5 with its number; false if it means nothing.
    bool press(PresenterKey key, int number = 0);

    void showView(const LessonView& view) override;
    void setParameters(const QStringList& keys) override;
    void setBuilding(bool on) override;

    /// Whether the editor for a design is shown.
    bool isBuilding() const;

    const Scenario& design() const override { return m_document.scenario(); }

    /// The sliders of the usual parameters: the length of the sequence and d_model.
    void showUsualSliders();

Q_SIGNALS:
    void closed();

    /// Another page or another state of the lesson.
    void progressed();

    /// The lab of a lesson's step is to be shown.
    void labRequested(const LessonLab& lab);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    QLabel* label(const char* name, const QString& accessibleName);
    void addUndoActions();
    void setScale(const DisplayScale& scale);
    void enlarge(double points);
    void arrange();
    bool pressInLesson(PresenterKey key, int number);
    void showHead();
    void showCosts();
    bool hidesCosts() const;
    void nextLens();

    Document m_document;
    DisplayScale m_scale;
    bool m_presenting = true;
    QLabel* m_title;
    QLabel* m_cost;
    LecturePages* m_pages;
    LectureSliders* m_sliders;
    QBoxLayout* m_body; ///< the stage and the lesson
    QBoxLayout* m_upper; ///< the page and, where one builds, the inspector
    LectureOverlay* m_overlay;
    LessonPanel* m_lesson = nullptr;
    Inspector* m_inspector = nullptr; ///< created on first use
};

} // namespace flopsmith::ui
