// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lessons/questions/question_widget.h"

#include <vector>

QT_BEGIN_NAMESPACE
class QGridLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

class OptionButton;

/// Some options as large buttons, chosen by a click or by their number.
class ChoiceQuestion : public QuestionWidget
{
    Q_OBJECT

public:
    ChoiceQuestion(const LessonPlay& play, QWidget* parent);

    void press(int number) override;
    void reveal(const LessonPlay& play) override;

private:
    void choose(int number);

    QStringList m_texts;
    QGridLayout* m_grid;
    std::vector<OptionButton*> m_buttons;
    bool m_revealed = false;
};

} // namespace flopsmith::ui
