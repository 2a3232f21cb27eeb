// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

QT_BEGIN_NAMESPACE
class QLabel;
class QPushButton;
class QVBoxLayout;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

struct LessonWords;

/// The buttons below a lesson: back, reveal, why, its lab, next.
class LessonButtons : public QObject
{
    Q_OBJECT

public:
    /// What a person can do now.
    struct State
    {
        bool back = false; ///< enabled
        bool reveal = false; ///< shown
        bool mayReveal = false; ///< enabled
        bool why = false; ///< shown
        bool lab = false; ///< shown
        bool over = false; ///< the last button ends the lesson
    };

    LessonButtons(QWidget& panel, QVBoxLayout& column);

    /// In the words of the lesson's language.
    void show(const State& state, const LessonWords& words);

    /// "2 of 6", or nothing.
    void showPlace(const QString& place);

Q_SIGNALS:
    void backPressed();
    void revealPressed();
    void whyPressed();
    void labPressed();
    void nextPressed();

private:
    void showWords(const LessonWords& words, bool over);

    QPushButton* m_back;
    QPushButton* m_reveal;
    QPushButton* m_why;
    QPushButton* m_lab;
    QPushButton* m_next;
    QLabel* m_place;
};

} // namespace flopsmith::ui
