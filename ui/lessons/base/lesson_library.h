// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/teach/format/lesson.h"

#include <QString>

#include <vector>

namespace flopsmith::ui {

/// A lesson that comes with the program, or why its file cannot be read.
struct LibraryLesson
{
    QString name; ///< of its file, without the suffix
    Result<Lesson> lesson;
};

/// All of them, by the names of their files.
const std::vector<LibraryLesson>& lessonLibrary();

/// In a language of the lesson.
QString lessonTitle(const Lesson& lesson, const QString& language);
QString lessonSummary(const Lesson& lesson, const QString& language);

/// "de" from the person's settings.
QString usualLanguage();

} // namespace flopsmith::ui
