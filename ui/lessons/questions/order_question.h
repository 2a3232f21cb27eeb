// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lessons/questions/question_widget.h"

QT_BEGIN_NAMESPACE
class QListWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Options to be sorted by dragging, or by Alt+Up and Alt+Down.
class OrderQuestion : public QuestionWidget
{
    Q_OBJECT

public:
    OrderQuestion(const LessonPlay& play, QWidget* parent);

    void reveal(const LessonPlay& play) override;
    OptionOrder order() const;

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void list(const OptionOrder& order);
    void move(int by);

    QStringList m_texts;
    QListWidget* m_list;
    QWidget* m_below; ///< how to answer
    bool m_revealed = false;
};

} // namespace flopsmith::ui
