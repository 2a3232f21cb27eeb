// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lessons/content_area.h"

QT_BEGIN_NAMESPACE
class QLabel;
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// What a step of a lesson says, scrolled where it does not fit: its text, its question, the verdict
/// on the answer, the explanation, and why something cannot be done.
class StepSheet : public ContentArea
{
    Q_OBJECT

public:
    struct Texts
    {
        QString text;
        QString verdict; ///< these two are empty before the reveal
        QString why;
    };

    explicit StepSheet(QWidget* parent);

    /// Shows the texts; the problem is gone.
    void showTexts(const Texts& texts);
    void showProblem(const QString& sentence);
    QString text() const;

    /// Scrolls so far that the explanation is visible.
    void scrollToWhy();

    /// Shows a question below the text, as high as it needs or as the sheet.
    enum class QuestionHeight { needed, all };
    void addQuestion(QWidget& question, QuestionHeight height);

    /// Adds a widget below the others.
    void addBelow(QWidget& widget);

private:
    QLabel* addLabel(const char* name, const char* role = nullptr);

    QVBoxLayout* m_column;
    QLabel* m_text;
    QVBoxLayout* m_questionPlace;
    QLabel* m_verdict;
    QLabel* m_why;
    QLabel* m_problem;
};

} // namespace flopsmith::ui
