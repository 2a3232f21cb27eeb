// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/choice_question.h"

#include "ui/lessons/option_button.h"
#include "ui/lessons/tally_text.h"

#include <QGridLayout>

namespace flopsmith::ui {
namespace {

constexpr int kOptionColumns = 2; ///< so that five options are no taller than three lines

} // namespace

ChoiceQuestion::ChoiceQuestion(const LessonPlay& play, QWidget* parent)
    : QuestionWidget(parent)
    , m_texts(optionTexts(play))
{
    setObjectName(QStringLiteral("lesson.choice"));
    setAccessibleName(tr("Options"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    for (int i = 0; i < m_texts.size(); ++i) {
        const int number = i + 1;
        auto* button = new OptionButton(
            QStringLiteral("%1  %2").arg(optionLetter(number), m_texts.at(i)), this);
        button->setObjectName(QStringLiteral("lesson.option%1").arg(number));
        button->setCheckable(true);
        button->setAutoExclusive(true);
        connect(button, &QPushButton::clicked, this, [this, number] { choose(number); });
        grid->addWidget(button, i / kOptionColumns, i % kOptionColumns);
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
    if (number <= static_cast<int>(m_buttons.size()) && isEnabled()) {
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
    setEnabled(false);
    const Result<Value> answer = play.answer();
    const std::optional<double> right = answer ? numberIn(*answer) : std::nullopt;
    for (std::size_t i = 0; right && i < m_buttons.size(); ++i) {
        if (static_cast<double>(i + 1) == *right) {
            m_buttons[i]->setWords(
                QStringLiteral("✓ %1").arg(m_texts.at(static_cast<qsizetype>(i))));
        }
    }
}

} // namespace flopsmith::ui
