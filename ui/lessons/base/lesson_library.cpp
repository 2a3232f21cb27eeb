// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/base/lesson_library.h"

#include "core/teach/format/installed_lessons.h"
#include "core/teach/format/lesson_reading.h"
#include "ui/theme/utf8.h"

#include <QLocale>

namespace flopsmith::ui {
namespace {

std::vector<LibraryLesson> readLibrary()
{
    std::vector<LibraryLesson> all;
    for (const InstalledText& file : installedLessons()) {
        const std::string_view name = file.fileName.substr(0, file.fileName.find('.'));
        all.push_back({fromUtf8(name), readLesson(file.text, std::string(file.fileName))});
    }
    return all;
}

QString textOf(const Lesson& lesson, const QString& language, const char* key)
{
    return QString::fromStdString(lesson.text(lesson.languageFor(language.toStdString()), key));
}

} // namespace

const std::vector<LibraryLesson>& lessonLibrary()
{
    static const std::vector<LibraryLesson> kLibrary = readLibrary();
    return kLibrary;
}

QString lessonTitle(const Lesson& lesson, const QString& language)
{
    return textOf(lesson, language, "title");
}

QString lessonSummary(const Lesson& lesson, const QString& language)
{
    return textOf(lesson, language, "summary");
}

QString usualLanguage()
{
    return QLocale().name().section(QLatin1Char('_'), 0, 0);
}

} // namespace flopsmith::ui
