// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/format/lesson_reading.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>

#include <string>

namespace flopsmith::ui {

/// The suffix of lesson files, for dialogs and file names: ".flopsmith-lesson".
QString lessonSuffix();

/// The lesson in a file. The Error is one sentence that names the file, the step and what is wrong.
Result<Lesson> lessonOfFile(const QString& path, Unfinished unfinished = Unfinished::refuse);

/// A lesson's file on the disk, which another program may change, move or remove.
class LessonFile : public QObject
{
    Q_OBJECT

public:
    explicit LessonFile(const QString& path, QObject* parent = nullptr);

    const QString& path() const { return m_path; }
    Result<Lesson> read() const { return lessonOfFile(m_path); }

    /// Takes the present content as known: after writing it.
    void takeAsKnown();

    /// Checks now, because not every file system reports changes.
    void check();

Q_SIGNALS:
    /// The content is another one, or cannot be read any more.
    void changed();

private:
    void follow();
    std::string content() const;

    QString m_path;
    std::string m_known; ///< a hash of the content; empty: it cannot be read
    QFileSystemWatcher m_watcher;
    QTimer m_settling;
};

} // namespace flopsmith::ui
