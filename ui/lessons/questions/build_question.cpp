// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/questions/build_question.h"

#include "ui/lessons/base/lesson_stage.h"
#include "ui/lessons/base/lesson_words.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace flopsmith::ui {

BuildQuestion::BuildQuestion(const LessonPlay& play, LessonStage& stage, QWidget* parent)
    : QuestionWidget(parent)
    , m_stage(stage)
    , m_predicate(play.current().ask()->answer.expression)
    , m_context(play.view().context)
    , m_state(new QLabel(this))
    , m_words(lessonWordsIn(play.language()))
    , m_take(new QPushButton(m_words.takeDesign, this))
{
    setObjectName(QStringLiteral("lesson.build"));
    setAccessibleName(tr("Your design"));
    m_state->setObjectName(QStringLiteral("lesson.build.state"));
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    m_take->setObjectName(QStringLiteral("lesson.build.take"));
    m_take->setAccessibleName(m_take->text());
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(m_state, 1);
    line->addWidget(m_take);
    connect(m_take, &QPushButton::clicked, this, [this] { Q_EMIT predicted(m_stage.design()); });
    designChanged();
}

void BuildQuestion::designChanged()
{
    if (!isEnabled()) {
        return; // a revealed design is not the person's attempt
    }
    judge(m_stage.design());
}

void BuildQuestion::judge(const Scenario& design)
{
    m_context.scenario = design;
    const Result<Value> value = evaluate(m_predicate, m_context);
    const bool* meets = value ? std::get_if<bool>(&*value) : nullptr;
    m_state->setText(!value ? QString::fromStdString(value.error().message)
                         : meets == nullptr || !*meets ? m_words.designNotYet
                                                       : m_words.designDoes);
    m_state->setAccessibleName(m_state->text());
}

void BuildQuestion::reveal(const LessonPlay& play)
{
    const auto& prediction = play.prediction();
    if (const Scenario* built = prediction ? std::get_if<Scenario>(&*prediction) : nullptr) {
        judge(*built);
    }
    setEnabled(false);
}

} // namespace flopsmith::ui

#include "moc_build_question.cpp"
