// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lessons/questions/question_widget.h"

#include <optional>
#include <string>

QT_BEGIN_NAMESPACE
class QLabel;
class QLineEdit;
class QPushButton;
class QSlider;
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// A number on a logarithmic scale, with its value large. Up and Down move it, or a click; or it is
/// typed, with point or comma as the lesson's language has them.
class NumberQuestion : public QuestionWidget
{
    Q_OBJECT

public:
    NumberQuestion(const LessonPlay& play, QWidget* parent);

    void reveal(const LessonPlay& play) override;

    /// The typed number, or three digits from the scale, as it is displayed.
    double number() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    int stopOf(double number) const;
    void addTyped(QVBoxLayout& column);
    void takeTyped();
    void takeBack();
    void predict();
    void sayWhatIsWrong();
    void showNumber();
    void enlarge();

    double m_from;
    double m_to;
    QString m_unit;
    std::string m_language;
    /// What the question showed, to which an emptied line goes back.
    struct Shown
    {
        std::optional<double> typed;
        int stop = 0;
        bool isPrediction = false;
    };

    std::optional<double> m_typedNumber;
    std::optional<Shown> m_beforeTyping;
    bool m_isPredicted = false;
    QSlider* m_slider;
    QLabel* m_value;
    QPushButton* m_take;
    QLineEdit* m_typed;
    QLabel* m_wrong;
};

/// "4.72 MFLOPs", in German "4,72 MFLOPs".
QString numberWithUnit(double number, const QString& unit, const std::string& language = "en");

} // namespace flopsmith::ui
