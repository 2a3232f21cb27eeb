// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/teach/format/lesson.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace flopsmith::ui {

/// A lesson in a file of the person's own, or why it cannot be read.
struct OwnLesson
{
    QString path;
    Result<Lesson> lesson;
};

/// The folder where own lessons are searched and first saved: among the program's other data of the
/// person.
QString ownLessonsFolder();

/// The lessons in the folder by their names, then recently opened ones from elsewhere, newest
/// first. A missing file is left out; an unreadable one has the reason.
std::vector<OwnLesson> ownLessons();

/// Puts a file that was opened or saved first among the recent lessons.
void addRecentLesson(const QString& path);

} // namespace flopsmith::ui
