// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exercise/exercise_play.h"
#include "ui/document/throttle.h"
#include "ui/widgets/panel.h"

#include <QElapsedTimer>

#include <cstdint>
#include <optional>
#include <vector>

QT_BEGIN_NAMESPACE
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QTextEdit;
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

class CheckRow;
class Document;

/// An exercise next to its design: its task, checks that are marked while the design changes, a
/// question in words, and the answer to hand in. Empty until one is shown.
class ExercisePanel : public Panel
{
    Q_OBJECT

public:
    explicit ExercisePanel(Document& document, QWidget* parent = nullptr);

    /// Begins an exercise; the document then gets its start.
    void begin(ExercisePlay play);

    /// Continues from a saved answer; the document then gets its design. The Error says that the
    /// answer belongs to another exercise; then nothing changes.
    Status resume(ExercisePlay play, const ExerciseAnswer& answer);

    /// Forgets it.
    void end();

    /// Null without an exercise.
    const ExercisePlay* play() const { return m_play ? &*m_play : nullptr; }

    /// The document has the start again: a step of it that is no try.
    void resetDesign();

    /// Call when the person removes a lock of the exercise's start: the answer records it.
    void setUnlocked() { m_unlocked = true; }

    /// The answer to hand in now.
    ExerciseAnswer answer() const;

    /// Whether a number, words or a name were typed since setSaved().
    bool hasUnsaved() const { return m_unsaved; }
    void setSaved() { m_unsaved = false; }

    /// Applies pending marks now.
    void flush() { m_judging.flush(); }

Q_SIGNALS:
    void saveRequested();
    void closeRequested();

private:
    void build();
    void addTexts(QVBoxLayout& column);
    void addQuestion(QVBoxLayout& column);
    void addButtons(QVBoxLayout& column);
    QLabel* addLabel(QVBoxLayout& column, const char* name, const char* role);
    QPushButton* addedButton(const char* name, const QString& text);
    void addRows(QVBoxLayout& column);
    void addLanguages();
    void connectDocument();
    void judge();
    void noteStep(int index);
    void finishTry();
    void noteLocks();
    void takeNumber(CheckRow& row, const QString& text);
    void showTexts();
    void showState();

    Document& m_document;
    std::optional<ExercisePlay> m_play;
    Throttle m_judging;
    QElapsedTimer m_time;
    std::int64_t m_secondsBefore = 0; ///< of the answer that was resumed
    int m_step = 0; ///< of the undo stack, when it was last looked at
    bool m_tryIsDue = false;
    bool m_unlocked = false;
    bool m_unsaved = false;
    std::vector<CheckRow*> m_rows;
    QScrollArea* m_area = nullptr;
    QWidget* m_texts = nullptr; ///< the scrolled content
    QComboBox* m_language = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_task = nullptr;
    QLabel* m_question = nullptr;
    QTextEdit* m_words = nullptr;
    QLineEdit* m_student = nullptr;
    QLabel* m_points = nullptr;
    QPushButton* m_reset = nullptr;
    QPushButton* m_save = nullptr;
    QPushButton* m_close = nullptr;
};

} // namespace flopsmith::ui
