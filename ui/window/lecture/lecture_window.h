// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
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

class LecturePages;
class LectureSliders;

/// What an audience sees: one page, large, with a few parameters below it. It works on a copy of the
/// design, so that the window's own stays as it is.
class LectureWindow : public QWidget
{
    Q_OBJECT

public:
    LectureWindow(const Scenario& scenario, LensId lens);
    ~LectureWindow() override;

    Document& document() { return m_document; }
    LecturePages& pages() { return *m_pages; }
    LectureSliders& sliders() { return *m_sliders; }
    LectureOverlay& overlay() { return *m_overlay; }

    /// With lectureScale() as on a projector, else as in any window.
    void setScale(const DisplayScale& scale);
    const DisplayScale& scale() const { return m_scale; }

    /// Does what the key means here; false if it means nothing.
    bool press(PresenterKey key);

    /// The sliders of the usual parameters: the length of the sequence and d_model.
    void showUsualSliders();

Q_SIGNALS:
    void closed();

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    QLabel* label(const char* name, const QString& accessibleName);
    void enlarge(double points);
    void showHead();
    void nextLens();

    Document m_document;
    DisplayScale m_scale;
    QLabel* m_title;
    QLabel* m_cost;
    LecturePages* m_pages;
    LectureSliders* m_sliders;
    QBoxLayout* m_body;
    LectureOverlay* m_overlay;
};

} // namespace flopsmith::ui
