// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exercise/exercise_play.h"

#include <QWidget>

#include <cstddef>

QT_BEGIN_NAMESPACE
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// A check of an exercise: its text, a box for a number, whether it is right, and a hint after some
/// attempts. The mark is a sign and words, not a colour alone.
class CheckRow : public QWidget
{
    Q_OBJECT

public:
    CheckRow(const ExercisePlay& play, std::size_t check, QWidget* parent);

    /// Shows mark, hint and feedback as they are now, in the language of the play.
    void showState(const ExercisePlay& play);

    /// Puts a number that was typed before into the box.
    void showNumber(double number);

    /// Says why the typed text is not a number.
    void showProblem(const QString& sentence);

    const QString& checkId() const { return m_id; }

Q_SIGNALS:
    void numberTyped(const QString& text);

private:
    QLabel* addLabel(QVBoxLayout& column, const char* name, const char* role);
    void addBox(QVBoxLayout& column, const ExerciseNumber& number);
    QString markText(const ExercisePlay& play) const;

    std::size_t m_check;
    QString m_id;
    QLabel* m_text = nullptr;
    QLineEdit* m_box = nullptr; ///< of a number
    QLabel* m_mark = nullptr;
    QLabel* m_wrong = nullptr;
    QLabel* m_hint = nullptr;
    QLabel* m_problem = nullptr;
};

} // namespace flopsmith::ui
