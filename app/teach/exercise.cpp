// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options/options.h"
#include "app/teach/teach_commands.h"
#include "core/base/printable.h"
#include "core/base/text_file.h"
#include "core/exercise/exercise_check.h"
#include "core/exercise/exercise_reading.h"
#include "core/exercise/grading.h"
#include "core/exercise/installed_exercises.h"
#include "core/io/table/spreadsheet.h"

#include <filesystem>
#include <memory>

namespace flopsmith::app {
namespace {

struct ExerciseOptions
{
    std::string language = "en";
    std::vector<std::string> files;
    std::string source;
    std::string target;
    std::vector<std::string> answers;
};

Outcome listExercises(const std::string& language)
{
    std::string text;
    for (const InstalledText& each : installedExercises()) {
        const Result<Exercise> exercise = readExercise(each.text, std::string(each.fileName));
        if (!exercise) {
            return Outcome::badInput(exercise.error());
        }
        const std::string spoken = exercise->languageFor(language);
        text += exercise->id + ": " + exercise->text(spoken, "title") + " ("
            + std::to_string(exercise->points()) + " points)\n  "
            + exercise->text(spoken, "summary") + "\n";
    }
    return Outcome::success(printableLines(text));
}

std::vector<std::string> installedExerciseFiles()
{
    std::vector<std::string> names;
    for (const InstalledText& each : installedExercises()) {
        names.emplace_back(each.fileName);
    }
    return names;
}

Outcome checkExercises(const std::vector<std::string>& files)
{
    std::string text;
    for (const std::string& file : files.empty() ? installedExerciseFiles() : files) {
        const Result<Exercise> exercise = exerciseNamed(file);
        if (!exercise) {
            return Outcome::badInput(exercise.error());
        }
        const std::vector<std::string> problems = checkExercise(*exercise);
        if (!problems.empty()) {
            const std::size_t others = problems.size() - 1;
            return Outcome::badInput(
                {printable(file) + ": " + printable(problems.front())
                 + (others > 0 ? " (and " + std::to_string(others) + " more)" : std::string())});
        }
        text += printable(file) + ": ok, " + std::to_string(exercise->checks.size()) + " checks, "
            + std::to_string(exercise->points()) + " points reached by the solution\n";
    }
    return Outcome::success(text);
}

Outcome releaseExercise(const ExerciseOptions& options)
{
    const Result<Exercise> source = exerciseNamed(options.source);
    if (!source) {
        return Outcome::badInput(source.error());
    }
    std::error_code ignored;
    if (std::filesystem::equivalent(options.source, options.target, ignored)) {
        return Outcome::badInput({printable(options.target)
                                  + " is the source itself, whose solution would be lost; choose "
                                    "another file"});
    }
    const Result<Exercise> release = released(*source);
    if (!release) {
        return Outcome::badInput({printable(options.source) + ": " + release.error().message});
    }
    Outcome outcome = Outcome::success(exerciseJson(*release));
    outcome.target = options.target;
    return outcome;
}

Result<ExerciseAnswer> answerOfFile(const std::string& file)
{
    const Result<std::string> text = textOfFile(file);
    return text ? readAnswer(*text, file) : text.error();
}

Outcome gradesOutcome(const std::vector<GradeRow>& rows, const OutputOptions& output)
{
    const Table table = gradeTable(rows);
    Outcome outcome = output.of(output.isCsv() ? withoutFormulas(table) : table);
    std::size_t unread = 0;
    for (const GradeRow& row : rows) {
        unread += row.isGraded() ? 0 : 1;
    }
    if (unread > 0) {
        outcome.codeAfterwards = ExitCode::badInput;
        outcome.notes.push_back(std::to_string(unread) + (unread == 1 ? " answer" : " answers")
                                + " could not be graded; the last column says why");
    }
    return outcome;
}

Outcome gradeAnswers(const ExerciseOptions& options, const OutputOptions& output)
{
    Result<Exercise> source = exerciseNamed(options.source);
    if (!source) {
        return Outcome::badInput(source.error());
    }
    const Result<ExerciseMarker> marker = ExerciseMarker::create(std::move(*source));
    if (!marker) {
        return Outcome::badInput({printable(options.source) + ": " + marker.error().message});
    }
    std::vector<GradeRow> rows;
    for (const std::string& file : options.answers) {
        const std::string name = std::filesystem::path(file).stem().string();
        const std::vector<GradeRow> graded = gradedAnswer(*marker, answerOfFile(file), name);
        rows.insert(rows.end(), graded.begin(), graded.end());
    }
    return gradesOutcome(rows, output);
}

void addExerciseListAndCheck(ArgumentParser command,
                             const std::shared_ptr<ExerciseOptions>& options,
                             Command& chosen)
{
    const ArgumentParser list = command.addCommand("list", "The exercises of the program");
    list.addOption("--language", options->language, "Of titles and summaries").typeName("NAME");
    list.callback(
        [options, &chosen] { chosen = [options] { return listExercises(options->language); }; });
    const ArgumentParser check = command.addCommand(
        "check", "Whether goldens and texts of exercises are right and the solution solves them");
    check.addOption("FILE", options->files, "Exercises; without any, those of the program");
    check.callback(
        [options, &chosen] { chosen = [options] { return checkExercises(options->files); }; });
}

void addReleaseAndGrade(ArgumentParser command,
                        const std::shared_ptr<ExerciseOptions>& options,
                        Command& chosen)
{
    const ArgumentParser release =
        command.addCommand("release", "Write what students get: without solution and answers");
    release.addOption("SRC", options->source, "An exercise's file or its name").required();
    release.addOption("-o,--output", options->target, "The file for students")
        .typeName("FILE")
        .required();
    release.callback(
        [options, &chosen] { chosen = [options] { return releaseExercise(*options); }; });
    const ArgumentParser grade =
        command.addCommand("grade", "Mark every check of every answer, right or not");
    auto output = std::make_shared<OutputOptions>();
    grade.addOption("SRC", options->source, "The exercise, as its author has it or released")
        .required();
    grade.addOption("ANSWER", options->answers, "Files that students saved").required();
    output->addTo(grade);
    grade.callback([options, output, &chosen] {
        chosen = [options, output] { return gradeAnswers(*options, *output); };
    });
}

} // namespace

void addExercise(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<ExerciseOptions>();
    const ArgumentParser command = program.addCommand(
        "exercise", "Exercises that mark themselves: list, check, release and grade them");
    command.allowOneCommand();
    addExerciseListAndCheck(command, options, chosen);
    addReleaseAndGrade(command, options, chosen);
    command.callback([options, command, &chosen] {
        if (!command.isCommandBelowChosen()) {
            chosen = [options] { return listExercises(options->language); };
        }
    });
    command.footer("Example: flopsmith exercise release mine.flopsmith-exercise -o "
                   "class.flopsmith-exercise\n"
                   "         flopsmith exercise grade mine.flopsmith-exercise answers/* "
                   "--format csv -o grades.csv");
}

} // namespace flopsmith::app
