// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/teach/author/lesson_editing.h"
#include "core/teach/format/lesson.h"

#include <QWidget>

#include <optional>
#include <string>
#include <vector>

QT_BEGIN_NAMESPACE
class QFormLayout;
class QLabel;
class QPushButton;
class QTabBar;
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

class LessonDraft;
class QuestionFields;
class TypedLine;
class TypedText;

/// The fields of a draft: title and summary of the lesson, then texts, notes and question of its
/// current step, in one of its languages at a time, and the step's view.
class StepFields : public QWidget
{
    Q_OBJECT

public:
    explicit StepFields(LessonDraft& draft, QWidget* parent = nullptr);

    /// The language of the texts that are shown.
    const QString& language() const { return m_language; }
    void setLanguage(const QString& language);

    QuestionFields& question() { return *m_question; }

Q_SIGNALS:
    void languageChanged();

private:
    /// A text of every step.
    struct TextField
    {
        StepText which = StepText::text;
        QLabel* label = nullptr;
        TypedText* text = nullptr;
    };

    /// A change of the view, as a sentence that can be removed.
    struct ShownLine
    {
        QLabel* label = nullptr;
        QLabel* text = nullptr;
        QPushButton* clear = nullptr;
    };

    void addLanguages(QVBoxLayout& column);
    void addHeadings(QFormLayout& form);
    void addText(QFormLayout& form, const char* name, const QString& label, StepText which);
    ShownLine addShown(QFormLayout& form,
                       const char* name,
                       const QString& label,
                       Shown& (*of)(LessonStep&));
    void refresh();
    void listLanguages();
    void showStep();
    static void showShown(const ShownLine& line, const Shown& shown, bool isThere);
    void askForLanguage();

    LessonDraft& m_draft;
    QString m_language;
    QTabBar* m_languages = nullptr;
    TypedLine* m_title = nullptr;
    TypedLine* m_summary = nullptr;
    TypedLine* m_minutes = nullptr;
    std::vector<TextField> m_texts;
    QuestionFields* m_question = nullptr;
    ShownLine m_shows;
    ShownLine m_reveals;
    ShownLine m_example;
};

} // namespace flopsmith::ui
