// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/questions/choice_question.h"

#include "ui/lessons/questions/option_button.h"
#include "ui/lessons/questions/tally_text.h"

#include <QGridLayout>

namespace flopsmith::ui {
namespace {

constexpr int kOptionColumns = 2; ///< so that five options are no taller than three lines

} // namespace

ChoiceQuestion::ChoiceQuestion(const LessonPlay& play, QWidget* parent)
    : QuestionWidget(parent)
    , m_texts(optionTexts(play))
    , m_grid(new QGridLayout(this))
{
    setObjectName(QStringLiteral("lesson.choice"));
    setAccessibleName(tr("Options"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    for (int i = 0; i < m_texts.size(); ++i) {
        const int number = i + 1;
        auto* button = new OptionButton(
            QStringLiteral("%1  %2").arg(optionLetter(number), m_texts.at(i)), this);
        button->setObjectName(QStringLiteral("lesson.option%1").arg(number));
        button->setCheckable(true);
        button->setAutoExclusive(true);
        connect(button, &QPushButton::clicked, this, [this, number] { choose(number); });
        m_grid->addWidget(button, i / kOptionColumns, i % kOptionColumns);
        m_buttons.push_back(button);
    }
    if (const auto& chosen = play.prediction()) {
        if (const auto* option = std::get_if<ChosenOption>(&*chosen)) {
            m_buttons.at(static_cast<std::size_t>(option->option) - 1)->setChecked(true);
        }
    }
}

void ChoiceQuestion::press(int number)
{
    if (number <= static_cast<int>(m_buttons.size()) && !m_revealed) {
        m_buttons.at(static_cast<std::size_t>(number) - 1)->setChecked(true);
        choose(number);
    }
}

void ChoiceQuestion::choose(int number)
{
    Q_EMIT predicted(ChosenOption{number});
}

void ChoiceQuestion::reveal(const LessonPlay& play)
{
    m_revealed = true;
    const Result<Value> answer = play.answer();
    const std::optional<double> right = answer ? numberIn(*answer) : std::nullopt;
    int column = 1;
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        OptionButton& button = *m_buttons[i];
        const bool isRight = right && static_cast<double>(i + 1) == *right;
        button.setVisible(!right || isRight || button.isChecked());
        button.setDecided(isRight);
        if (isRight) {
            button.setWords(QStringLiteral("✓ %1").arg(m_texts.at(static_cast<qsizetype>(i))));
        }
        if (right && !button.isHidden()) {
            m_grid->addWidget(&button, 0, isRight ? 0 : column++);
        }
    }
}

} // namespace flopsmith::ui

#include "moc_choice_question.cpp"
