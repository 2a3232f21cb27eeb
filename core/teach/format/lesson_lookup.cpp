// SPDX-License-Identifier: MIT
#include "core/teach/format/lesson_lookup.h"

#include "core/base/file_suffix.h"
#include "core/base/text_file.h"
#include "core/teach/format/installed_lessons.h"
#include "core/teach/format/lesson_reading.h"

#include <filesystem>
#include <system_error>

namespace flopsmith {
namespace {

bool isInstalledAs(const InstalledText& installed, std::string_view wanted)
{
    const std::string_view stem =
        installed.fileName.substr(0, installed.fileName.size() - kLessonSuffix.size());
    const std::size_t dash = stem.find('-');
    return wanted == installed.fileName || wanted == stem
        || (dash != std::string_view::npos && wanted == stem.substr(dash + 1));
}

} // namespace

Result<Lesson> lessonNamed(const std::string& nameOrPath)
{
    std::error_code ignored;
    const bool isFile = std::filesystem::is_regular_file(nameOrPath, ignored);
    for (const InstalledText& each : installedLessons()) {
        if (!isFile && isInstalledAs(each, nameOrPath)) {
            return readLesson(each.text, nameOrPath);
        }
    }
    const Result<std::string> text = textOfFile(nameOrPath);
    return text ? readLesson(*text, nameOrPath) : text.error();
}

} // namespace flopsmith
