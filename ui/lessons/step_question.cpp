// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/step_question.h"

#include "ui/lessons/questions/question_widget.h"
#include "ui/lessons/step_sheet.h"
#include "ui/theme/type_scale.h"

namespace flopsmith::ui {

StepQuestion::StepQuestion(StepSheet& sheet, LessonStage& stage, QWidget& panel)
    : QObject(&panel)
    , m_sheet(sheet)
    , m_stage(stage)
    , m_panel(panel)
{}

void StepQuestion::remove()
{
    if (m_widget == nullptr) {
        return;
    }
    if (m_widget->isAncestorOf(m_panel.window()->focusWidget())) {
        m_panel.window()->setFocus(); // otherwise the next widget gets it, which may be an editor
    }
    m_widget->disconnect(this);
    m_widget->setParent(nullptr);
    m_widget->deleteLater(); // its own key may have led here
    m_widget = nullptr;
}

void StepQuestion::show(const LessonPlay& play)
{
    remove();
    m_widget = newQuestionWidget(play, m_stage, &m_panel);
    const bool sketches = play.current().ask()->kind == QuestionKind::sketch;
    m_sheet.addQuestion(
        *m_widget, sketches ? StepSheet::QuestionHeight::all : StepSheet::QuestionHeight::needed);
    setTypeBelow(*m_widget, m_panel.font());
    connect(m_widget, &QuestionWidget::predicted, this, &StepQuestion::predicted);
    connect(m_widget, &QuestionWidget::withdrawn, this, &StepQuestion::withdrawn);
    if (play.isRevealed()) {
        m_widget->reveal(play);
    } else if (m_widget->focusProxy() != nullptr) {
        m_widget->setFocus();
    }
}

void StepQuestion::press(int number)
{
    if (m_widget != nullptr) {
        m_widget->press(number);
    }
}

void StepQuestion::reveal(const LessonPlay& play)
{
    if (m_widget != nullptr) {
        m_widget->reveal(play);
    }
}

void StepQuestion::designChanged()
{
    if (m_widget != nullptr) {
        m_widget->designChanged();
    }
}

} // namespace flopsmith::ui

#include "moc_step_question.cpp"
