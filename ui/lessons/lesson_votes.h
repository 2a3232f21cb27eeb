// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/play/lesson_play.h"

#include <QWidget>

#include <array>

QT_BEGIN_NAMESPACE
class QLineEdit;
QT_END_NAMESPACE

namespace flopsmith::ui {

struct LessonWords;

/// The votes of an audience, counted by a show of hands: a box for each of two votes on one question.
class LessonVotes : public QWidget
{
    Q_OBJECT

public:
    explicit LessonVotes(QWidget* parent);

    void showWords(const LessonWords& words);

    /// Shows the votes of the step that is played.
    void showVotes(const LessonPlay& play);

    bool hasVotes() const;

    /// Passes the votes in a box to the play; an empty box leaves them unchanged. An Error for an
    /// invalid tally; the box can then be taken again.
    Status take(int vote, LessonPlay& play);

    /// The same for each box that was typed into since it was taken, up to the first Error.
    Status takeTyped(LessonPlay& play);

    /// A line for each vote that was taken.
    QString votesText(const LessonPlay& play) const;

Q_SIGNALS:
    void entered(int vote);

private:
    std::array<QLineEdit*, 2> m_boxes{};
};

} // namespace flopsmith::ui
