// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lessons/question_widget.h"

QT_BEGIN_NAMESPACE
class QLabel;
class QPushButton;
class QSlider;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// A number on a logarithmic scale, with its value large. Up and Down move it, or a click.
class NumberQuestion : public QuestionWidget
{
    Q_OBJECT

public:
    NumberQuestion(const LessonPlay& play, QWidget* parent);

    void reveal(const LessonPlay& play) override;

    /// Of three digits, as it is read.
    double number() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void showNumber();
    void enlarge();

    double m_from;
    double m_to;
    QString m_unit;
    QSlider* m_slider;
    QLabel* m_value;
    QPushButton* m_take;
};

/// "4.72 MFLOPs".
QString numberWithUnit(double number, const QString& unit);

} // namespace flopsmith::ui
