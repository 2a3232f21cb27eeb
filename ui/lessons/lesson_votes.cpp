// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_votes.h"

#include "ui/lessons/base/lesson_words.h"
#include "ui/lessons/questions/tally_text.h"

#include <QHBoxLayout>
#include <QLineEdit>

#include <algorithm>

namespace flopsmith::ui {

LessonVotes::LessonVotes(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("lesson.votes"));
    setAccessibleName(tr("Votes"));
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    for (int vote = 0; vote < static_cast<int>(m_boxes.size()); ++vote) {
        auto* box = new QLineEdit(this);
        box->setObjectName(QStringLiteral("lesson.tally%1").arg(vote + 1));
        connect(box, &QLineEdit::editingFinished, this, [this, vote] { Q_EMIT entered(vote); });
        line->addWidget(box);
        m_boxes.at(static_cast<std::size_t>(vote)) = box;
    }
    showWords(lessonWordsIn("en"));
}

void LessonVotes::showWords(const LessonWords& words)
{
    m_boxes.front()->setAccessibleName(words.firstVote);
    m_boxes.front()->setPlaceholderText(words.firstVoteExample);
    m_boxes.back()->setAccessibleName(words.secondVote);
    m_boxes.back()->setPlaceholderText(words.secondVote);
    for (QLineEdit* box : m_boxes) {
        box->setToolTip(words.voteTip);
    }
}

void LessonVotes::showVotes(const LessonPlay& play)
{
    for (std::size_t vote = 0; vote < m_boxes.size(); ++vote) {
        m_boxes.at(vote)->setText(tallyText(play.tally(static_cast<int>(vote))));
    }
}

bool LessonVotes::hasVotes() const
{
    return std::any_of(m_boxes.begin(), m_boxes.end(), [](const QLineEdit* box) {
        return !box->text().isEmpty();
    });
}

Status LessonVotes::take(int vote, LessonPlay& play)
{
    const Ask* ask = play.current().ask();
    if (ask == nullptr) {
        return Done{};
    }
    QLineEdit& box = *m_boxes.at(static_cast<std::size_t>(vote));
    const QString typed = box.text();
    const Result<Tally> tally = parsedTally(typed, static_cast<int>(ask->options.size()));
    Status taken = !tally           ? Status(tally.error())
        : typed.trimmed().isEmpty() ? Status(Done{})
                                    : play.setTally(vote, *tally);
    box.setModified(!taken);
    return taken;
}

Status LessonVotes::takeTyped(LessonPlay& play)
{
    for (int vote = 0; vote < static_cast<int>(m_boxes.size()); ++vote) {
        if (m_boxes.at(static_cast<std::size_t>(vote))->isModified()) {
            FLOPSMITH_RETURN_IF_ERROR(take(vote, play));
        }
    }
    return Done{};
}

QString LessonVotes::votesText(const LessonPlay& play) const
{
    QStringList votes;
    for (int vote = 0; vote < static_cast<int>(m_boxes.size()); ++vote) {
        if (const QString tally = tallyText(play.tally(vote)); !tally.isEmpty()) {
            votes << lessonWordsIn(play.language()).vote.arg(vote + 1).arg(tally);
        }
    }
    return votes.join(QLatin1Char('\n'));
}

} // namespace flopsmith::ui

#include "moc_lesson_votes.cpp"
