// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exercise/exercise.h"

#include <QList>
#include <QObject>

#include <string_view>

QT_BEGIN_NAMESPACE
class QMenu;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

class Document;
class ExercisePanel;
class FileOpening;
class FileSaving;
class MessageBar;

/// Exercises in the window: begins one beside its design, saves answers, and ends it.
class Exercises : public QObject
{
    Q_OBJECT

public:
    Exercises(Document& document,
              FileOpening& files,
              FileSaving& saving,
              MessageBar& messages,
              ExercisePanel& panel,
              QWidget& window);

    /// Adds the exercises that come with the program.
    void addTo(QMenu& menu);

    /// Opens the file of an exercise, or of an answer that was saved, without asking about unsaved
    /// changes; on failure shows the reason and keeps what is open.
    bool open(const QString& path);

    /// Begins an exercise in place of what is open, without asking.
    Status begin(const Exercise& exercise);

    /// Whether what was typed may be forgotten: there is nothing, it was saved now, or is discarded.
    bool mayLeave();

    /// Writes the answer, or shows why it cannot be.
    bool saveTo(const QString& path);

Q_SIGNALS:
    void shown(); ///< other controls are there

private:
    Status openExercise(const QString& path);
    Status openAnswer(const QString& path);
    void say(const Status& status);
    void addExercise(QMenu& menu, std::string_view fileName, std::string_view text);
    bool askAndSave();
    void end();
    void showPanel(bool isShown);

    Document& m_document;
    FileSaving& m_saving;
    MessageBar& m_messages;
    ExercisePanel& m_panel;
    QWidget& m_window;
    QList<int> m_sizesBefore; ///< of the panels beside it, before it was shown
};

} // namespace flopsmith::ui
