// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/teach/format/lesson.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace flopsmith::ui {

/// A lesson in a file of one's own, or why it cannot be read.
struct OwnLesson
{
    QString path;
    Result<Lesson> lesson;
};

/// Where lessons of one's own are looked for and saved at first: beside the program's other data of
/// the person.
QString ownLessonsFolder();

/// Those of the folder by their names, then those that were opened elsewhere, newest first. A file
/// that is gone is left out; one that cannot be read says why.
std::vector<OwnLesson> ownLessons();

/// Puts a file that was opened or saved first among the recent lessons.
void addRecentLesson(const QString& path);

} // namespace flopsmith::ui
