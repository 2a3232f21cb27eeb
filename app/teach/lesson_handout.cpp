// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/teach/lesson_handout.h"

#include "app/charts/chart_drawing.h"
#include "core/report/handout.h"
#include "core/report/report_format.h"
#include "core/teach/format/lesson_lookup.h"
#include "ui/report/report_files.h"

#include <memory>
#include <string>

namespace flopsmith::app {
namespace {

struct HandoutOptions
{
    std::string lesson;
    std::string target;
    std::string format;
    std::string language = "en";
    std::string answers; ///< empty: last, or inline for a teacher
    bool teacher = false;
};

HandoutAnswers answersAsked(const HandoutOptions& options)
{
    if (options.answers.empty()) {
        return options.teacher ? HandoutAnswers::inPlace : HandoutAnswers::last;
    }
    return options.answers == "none" ? HandoutAnswers::none
        : options.answers == "last"  ? HandoutAnswers::last
                                     : HandoutAnswers::inPlace;
}

Outcome handoutOutcome(const HandoutOptions& options)
{
    if (isStandardOutput(options.target)) {
        return Outcome::badInput({"a handout is a file; name one, as in -o h.pdf"});
    }
    const Result<ReportFormat> format =
        options.format.empty() ? reportFormatOf(options.target) : reportFormatNamed(options.format);
    if (!format) {
        return Outcome::badInput(format.error());
    }
    const Result<Lesson> lesson = lessonNamed(options.lesson);
    if (!lesson) {
        return Outcome::badInput(lesson.error());
    }
    const Result<Report> handout = handoutOf({.lesson = *lesson,
                                              .language = options.language,
                                              .answers = answersAsked(options),
                                              .forTeacher = options.teacher});
    if (!handout) {
        return Outcome::badInput({options.lesson + ": " + handout.error().message});
    }
    const DrawingApplication application;
    const Status written = ui::writeReport(*handout, *format, options.target);
    return written ? Outcome::wrote(options.target) : Outcome::badInput(written.error());
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
    command.addOption("--format", options->format, "pdf, html, md or tex, whatever the suffix")
        .oneOf({"pdf", "html", "md", "tex"})
        .typeName("NAME");
    command
        .addOption("--answers",
                   options->answers,
                   "On a page of their own after all questions (last), below each question "
                   "(inline), or none; last, with --teacher inline, if not given")
        .oneOf({"last", "inline", "none"})
        .typeName("WHERE");
    command.addFlag("--teacher",
                    options->teacher,
                    "For the lecturer: answers in the boxes, and the notes of each step");
    command.addOption("--language", options->language, "Of the texts; the lesson's nearest to it")
        .typeName("CODE")
        .showDefault();
    command.footer("Examples:\n"
                   "  flopsmith lesson handout where-flops-go -o h.pdf\n"
                   "  flopsmith lesson handout where-flops-go --teacher --language de -o h.html");
    command.callback(
        [options, &chosen] { chosen = [options] { return handoutOutcome(*options); }; });
}

} // namespace flopsmith::app
