// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options/options.h"
#include "app/teach/lesson_handout.h"
#include "app/teach/teach_commands.h"
#include "core/base/printable.h"
#include "core/teach/author/lesson_check.h"
#include "core/teach/format/installed_lessons.h"
#include "core/teach/format/lesson_lookup.h"
#include "core/teach/format/lesson_reading.h"
#include "core/teach/play/lesson_printing.h"

#include <filesystem>
#include <memory>

namespace flopsmith::app {
namespace {

struct LessonOptions
{
    std::string language = "en";
    std::vector<std::string> files;
    std::string file;
    std::string target;
    bool headless = false;
};

/// A lesson, and its name in messages.
struct NamedLesson
{
    std::string name;
    Lesson lesson;
};

Result<NamedLesson> lessonOfText(std::string_view text, const std::string& name)
{
    FLOPSMITH_TRY(Lesson lesson, readLesson(text, name));
    return NamedLesson{printable(name), std::move(lesson)};
}

Result<NamedLesson> namedLesson(const std::string& nameOrPath)
{
    FLOPSMITH_TRY(Lesson lesson, lessonNamed(nameOrPath));
    return NamedLesson{printable(nameOrPath), std::move(lesson)};
}

Result<std::vector<NamedLesson>> allInstalled()
{
    std::vector<NamedLesson> lessons;
    for (const InstalledText& each : installedLessons()) {
        FLOPSMITH_TRY(NamedLesson lesson, lessonOfText(each.text, std::string(each.fileName)));
        lessons.push_back(std::move(lesson));
    }
    return lessons;
}

// Whether a shell pattern such as "resources/lessons/*" also matched this file.
bool isReadme(const std::string& file)
{
    return std::filesystem::path(file).extension() == ".md";
}

Result<std::vector<NamedLesson>> lessonsToCheck(const std::vector<std::string>& files)
{
    if (files.empty()) {
        return allInstalled();
    }
    std::vector<NamedLesson> lessons;
    for (const std::string& file : files) {
        if (files.size() > 1 && isReadme(file)) {
            continue;
        }
        FLOPSMITH_TRY(NamedLesson lesson, namedLesson(file));
        lessons.push_back(std::move(lesson));
    }
    return lessons;
}

Outcome listLessons(const std::string& language)
{
    const Result<std::vector<NamedLesson>> lessons = allInstalled();
    if (!lessons) {
        return Outcome::badInput(lessons.error());
    }
    std::string text;
    for (const NamedLesson& each : *lessons) {
        const Lesson& lesson = each.lesson;
        const std::string spoken = lesson.languageFor(language);
        text += lesson.id + ": " + lesson.text(spoken, "title") + " ("
            + std::to_string(lesson.minutes) + " min)\n  " + lesson.text(spoken, "summary") + "\n";
    }
    return Outcome::success(printableLines(text));
}

// "10 lessons × 2 languages", or the sum if they differ.
std::string extentOf(const std::vector<NamedLesson>& lessons)
{
    std::size_t texts = 0;
    bool isEven = true;
    for (const NamedLesson& each : lessons) {
        texts += each.lesson.texts.size();
        isEven = isEven && each.lesson.texts.size() == lessons.front().lesson.texts.size();
    }
    const auto counted = [](std::size_t count, const std::string& noun) {
        return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
    };
    const std::string of = counted(lessons.size(), "lesson");
    return isEven && !lessons.empty()
        ? of + " \xC3\x97 " + counted(lessons.front().lesson.texts.size(), "language")
        : of + " in " + std::to_string(texts) + " versions";
}

Outcome checkLessons(const std::vector<std::string>& files)
{
    const Result<std::vector<NamedLesson>> lessons = lessonsToCheck(files);
    if (!lessons) {
        return Outcome::badInput(lessons.error());
    }
    std::string text;
    for (const NamedLesson& each : *lessons) {
        const std::vector<LessonProblem> problems = checkLesson(each.lesson);
        if (!problems.empty()) {
            const std::size_t others = problems.size() - 1;
            return Outcome::badInput(
                {each.name + ": " + printable(problems.front().text())
                 + (others > 0 ? " (and " + std::to_string(others) + " more)" : std::string())});
        }
        for (const auto& language : each.lesson.texts) {
            text += each.name + ", " + printable(language.first) + ": ok, "
                + std::to_string(each.lesson.steps.size()) + " steps\n";
        }
    }
    for (const std::string& file : files) {
        if (files.size() > 1 && isReadme(file)) {
            text += printable(file) + ": left out, no lesson\n";
        }
    }
    return Outcome::success(text + extentOf(*lessons) + ", all goldens equal\n");
}

Outcome runLesson(const LessonOptions& options)
{
    if (!options.headless) {
        return Outcome::failure(ExitCode::wrongUsage,
                                "lesson run prints what would be shown: add --headless");
    }
    const Result<NamedLesson> lesson = namedLesson(options.file);
    if (!lesson) {
        return Outcome::badInput(lesson.error());
    }
    const Result<std::string> text = printedLesson(lesson->lesson, options.language);
    return text ? Outcome::success(printableLines(*text))
                : Outcome::badInput({lesson->name + ": " + printable(text.error().message)});
}

// The file's name without folder and suffix, reduced to the characters of an id.
std::string idFor(const std::string& path)
{
    std::string id;
    for (const char c : std::filesystem::path(path).stem().string()) {
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        id += isPlain ? c : '-';
    }
    return id.find_first_not_of('-') == std::string::npos ? "my-lesson" : id;
}

Outcome newLesson(const std::string& path)
{
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) {
        return Outcome::badInput({printable(path) + " exists already; choose another name"});
    }
    Outcome outcome = Outcome::success(newLessonText(idFor(path)));
    outcome.target = path;
    outcome.notes.push_back("wrote " + printable(path)
                            + "; flopsmith lesson check says whether it is right");
    return outcome;
}

void addListAndCheck(ArgumentParser command,
                     const std::shared_ptr<LessonOptions>& options,
                     Command& chosen)
{
    const ArgumentParser list = command.addCommand("list", "The lessons of the program");
    list.addOption("--language", options->language, "Of titles and summaries").typeName("NAME");
    list.callback(
        [options, &chosen] { chosen = [options] { return listLessons(options->language); }; });
    const ArgumentParser check = command.addCommand(
        "check", "Whether all answers, texts, pages and paths of lessons are right");
    check.addOption("FILE", options->files, "Lessons; without any, those of the program");
    check.callback(
        [options, &chosen] { chosen = [options] { return checkLessons(options->files); }; });
}

void addRunAndNew(ArgumentParser command,
                  const std::shared_ptr<LessonOptions>& options,
                  Command& chosen)
{
    const ArgumentParser run = command.addCommand("run", "What a lesson shows, step by step");
    run.addOption("FILE", options->file, "A lesson's file, or its name in lesson list").required();
    run.addFlag("--headless", options->headless, "Print it; the window plays lessons itself");
    run.addOption("--language", options->language, "Such as en or de").typeName("NAME");
    run.callback([options, &chosen] { chosen = [options] { return runLesson(*options); }; });
    const ArgumentParser fresh =
        command.addCommand("new", "Write a small lesson with comments, to start from");
    fresh.addOption("FILE", options->target, "A new file, my.flopsmith-lesson").required();
    fresh.callback(
        [options, &chosen] { chosen = [options] { return newLesson(options->target); }; });
}

} // namespace

void addLesson(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<LessonOptions>();
    const ArgumentParser command =
        program.addCommand("lesson", "Lessons about costs: list, check, run and write them");
    command.allowOneCommand();
    addListAndCheck(command, options, chosen);
    addRunAndNew(command, options, chosen);
    addLessonHandout(command, chosen);
    command.callback([options, command, &chosen] {
        if (!command.isCommandBelowChosen()) {
            chosen = [options] { return listLessons(options->language); };
        }
    });
    command.footer("Example: flopsmith lesson new mine.flopsmith-lesson\n"
                   "         flopsmith lesson check mine.flopsmith-lesson\n"
                   "         flopsmith lesson run mine.flopsmith-lesson --headless");
}

} // namespace flopsmith::app
