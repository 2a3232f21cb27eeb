// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QList>
#include <QString>

#include <functional>

QT_BEGIN_NAMESPACE
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// An answer to a question: the text of its button and what follows.
struct Answer
{
    QString name; ///< of the button: "restore"
    QString text; ///< "&Restore"
    std::function<void()> act;
};

/// Questions across the window, in place of boxes that must be answered at once: a sentence with a
/// button for each answer. A question stays until it is answered, asked anew or withdrawn; work
/// goes on meanwhile.
class QuestionBars : public QWidget
{
    Q_OBJECT

public:
    explicit QuestionBars(QWidget* parent = nullptr);

    /// Replaces the question of the same name. The first answer is the one that is recommended.
    void ask(const QString& name, const QString& sentence, const QList<Answer>& answers);
    void withdraw(const QString& name);

    /// Empty if it is not asked.
    QString sentence(const QString& name) const;

Q_SIGNALS:
    void asked();

private:
    QFrame* bar(const QString& name) const;
    QFrame* newBar(const QString& name, const QString& sentence, const QList<Answer>& answers);

    QVBoxLayout* m_column;
};

} // namespace flopsmith::ui
