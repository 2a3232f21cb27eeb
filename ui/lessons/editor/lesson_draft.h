// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/teach/format/lesson.h"
#include "ui/lessons/base/lesson_file.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <functional>
#include <memory>

namespace flopsmith::ui {

/// A lesson that is being written: its undo stack, its file, and which step one is at. Knows no
/// widgets. Every change is one undo step; typing in one field is one until another is edited.
class LessonDraft : public QObject
{
    Q_OBJECT

public:
    explicit LessonDraft(QObject* parent = nullptr);
    ~LessonDraft() override;

    const Lesson& lesson() const { return m_lesson; }

    /// The current step, counted from 0; -1: the lesson has none.
    int step() const { return m_step; }
    const LessonStep* currentStep() const;
    void goTo(int step);

    /// Changes a copy of the lesson and takes it over as one undo step. Changes with the same
    /// `field` that follow each other are one.
    using Edit = std::function<void(Lesson&)>;
    void apply(const QString& text, const Edit& edit, const QString& field = {});

    /// The same, followed by a step of the changed lesson.
    void applyAndGoTo(const QString& text, int step, const Edit& edit);

    QUndoStack& undoStack() { return m_undoStack; }
    bool isModified() const { return !m_undoStack.isClean(); }

    /// Empty until the lesson is in a file.
    QString path() const { return m_file ? m_file->path() : QString(); }

    /// Starts another lesson without a file and without history.
    void start(const Lesson& lesson);

    /// Opens a file, which may be unfinished. On an Error nothing changes.
    Status open(const QString& path);

    /// Writes the whole lesson as plain JSON or, on an Error, nothing.
    Status saveAs(const QString& path);

    /// Looks whether the file was changed by others.
    void checkFile();

Q_SIGNALS:
    void lessonChanged();
    void stepChanged();

    /// The path or whether there are unsaved changes.
    void fileChanged();

    /// Another program has changed, moved or removed the file.
    void fileTouched();

private:
    class SwapCommand;
    void show(const Lesson& lesson, int step);
    void setFile(const QString& path);
    void dropFile();

    Lesson m_lesson;
    int m_step = -1;
    std::unique_ptr<LessonFile> m_file; ///< null: no file yet
    QUndoStack m_undoStack; ///< after the members that its signals read while it is destroyed
};

} // namespace flopsmith::ui
