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

/// An answer to a question: its button and its action.
struct Answer
{
    QString name; ///< of the button: "restore"
    QString text; ///< "&Restore"
    std::function<void()> act;
};

/// Questions across the window instead of modal dialogs: a sentence with a button for each answer.
/// A question stays until it is answered, replaced or withdrawn, and does not block the window.
class QuestionBars : public QWidget
{
    Q_OBJECT

public:
    explicit QuestionBars(QWidget* parent = nullptr);

    /// Asks a question, replacing one of the same name. The first answer is the recommended one.
    void ask(const QString& name, const QString& sentence, const QList<Answer>& answers);
    void withdraw(const QString& name);

    /// Empty if there is no such question.
    QString sentence(const QString& name) const;

Q_SIGNALS:
    void asked();

private:
    QFrame* bar(const QString& name) const;
    QFrame* newBar(const QString& name, const QString& sentence, const QList<Answer>& answers);

    QVBoxLayout* m_column;
};

} // namespace flopsmith::ui
