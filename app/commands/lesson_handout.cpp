// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/lesson_handout.h"

#include "app/charts/chart_drawing.h"
#include "core/report/handout.h"
#include "core/report/report_format.h"
#include "core/teach/lesson_lookup.h"
#include "ui/report/report_files.h"

#include <memory>
#include <string>

namespace flopsmith::app {
namespace {

struct HandoutOptions
{
    std::string lesson;
    std::string target;
    std::string language = "en";
    bool answers = true;
};

Outcome handoutOutcome(const HandoutOptions& options)
{
    const Result<ReportFormat> format = reportFormatOf(options.target);
    if (!format) {
        return Outcome::badInput(format.error());
    }
    const Result<Lesson> lesson = lessonNamed(options.lesson);
    if (!lesson) {
        return Outcome::badInput(lesson.error());
    }
    const Result<Report> handout =
        handoutOf({.lesson = *lesson, .language = options.language, .answers = options.answers});
    if (!handout) {
        return Outcome::badInput({options.lesson + ": " + handout.error().message});
    }
    const DrawingApplication application;
    const Status written = ui::writeReport(*handout, *format, options.target);
    return written ? Outcome::success("wrote " + options.target + "\n")
                   : Outcome::badInput(written.error());
}

} // namespace

void addLessonHandout(ArgumentParser lesson, Command& chosen)
{
    auto options = std::make_shared<HandoutOptions>();
    const ArgumentParser command = lesson.addCommand(
        "handout", "Writes a lesson on paper: figures, questions with room for answers, answers");
    command.addOption("LESSON", options->lesson, "A lesson's name or a .flopsmith-lesson file")
        .required();
    command
        .addOption("-o,--output", options->target, "The file; its suffix says pdf, html, md or tex")
        .required()
        .typeName("FILE");
    command.addFlag("--answers,!--no-answers",
                    options->answers,
                    "The answers on a page of their own, behind all questions (the default)");
    command.addOption("--language", options->language, "Of the texts; the lesson's nearest to it")
        .typeName("CODE")
        .showDefault();
    command.callback(
        [options, &chosen] { chosen = [options] { return handoutOutcome(*options); }; });
}

} // namespace flopsmith::app
