// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/lab_commands.h"
#include "app/lab/lab_executors.h"
#include "app/lab/lab_training.h"
#include "app/options/options.h"
#include "core/base/printable.h"
#include "core/base/temporary_folder.h"
#include "core/base/text.h"
#include "core/lab/distil/distil.h"
#include "core/lab/results/verdict.h"
#include "core/lab/task/trained_teacher.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

namespace flopsmith::app {
namespace {

struct LabDistilOptions
{
    std::string teacher = "dense";
    int layer = 0;
    int dModel = 64;
    std::vector<std::string> ratios{"1", "2", "4", "8"};
    std::vector<std::string> arms{"dense",
                                  "gated",
                                  "low_rank",
                                  "kronecker",
                                  "token_feedback",
                                  "spectral"};
    int seeds = 3;
    int steps = 1'500;
    LabExecutorOptions executors;
    std::string log;
    OutputOptions output;
};

Result<TeacherTask> teacherOf(const LabDistilOptions& options)
{
    TeacherTask teacher;
    if (options.teacher == "gated") {
        teacher.teacher = TeacherKind::gated;
        teacher.activation = Activation::silu;
    } else if (options.teacher != "dense") {
        const Result<std::string> hash = fileHash(options.teacher);
        if (!hash) {
            return Error{"--teacher " + excerpt(options.teacher)
                         + ": it must be dense, gated or the file of a model that a lab kept; "
                         + hash.error().message};
        }
        teacher.teacher = TeacherKind::trained;
        teacher.file = options.teacher;
        teacher.sha256 = *hash;
        teacher.layer = options.layer;
    }
    return teacher;
}

Result<std::vector<double>> ratiosOf(const std::vector<std::string>& texts)
{
    std::vector<double> ratios;
    for (const std::string& text : texts) {
        double ratio = 0.0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), ratio);
        if (problem != std::errc() || end != text.data() + text.size()) {
            return Error{"--ratios " + excerpt(text) + ": write numbers, as in 1,2,4,8"};
        }
        ratios.push_back(ratio);
    }
    return ratios;
}

Result<LabPlan> distilPlanOf(const LabDistilOptions& options)
{
    FLOPSMITH_TRY(const std::vector<double> ratios, ratiosOf(options.ratios));
    FLOPSMITH_TRY(const TeacherTask teacher, teacherOf(options));
    DistilRequest request{.plan = {.task = teacher,
                                   .sizes = {.dModel = options.dModel, .layers = 1, .heads = 1},
                                   .seeds = options.seeds,
                                   .budget = {.kind = BudgetKind::steps, .steps = options.steps},
                                   .evaluateEvery = std::max(1, options.steps / 10)},
                          .families = options.arms,
                          .ratios = ratios};
    return distilPlan(request);
}

// Exact formats get the interval as two numbers.
Table studentTable(const std::vector<StudentResult>& students, const LabPlan& plan, bool isExact)
{
    Table table{.columns = {{"student", "student", Align::left},
                            {"ratio", "requested ratio"},
                            {"cheaper", "teacher FLOPs / student FLOPs"},
                            {"parameters", "parameters"},
                            {"r_squared", "R\xC2\xB2"},
                            {"predicted", "closed form"}}};
    if (isExact) {
        table.columns.push_back({"r_squared_half_width", ""});
        table.columns.push_back({"diverged", ""});
    }
    for (const StudentResult& each : students) {
        Cell score = each.score.count > 0 ? Cell::number(each.score.mean) : Cell{};
        score.shown =
            each.diverged > 0 && each.score.count == 0 ? "diverged" : intervalText(each.score);
        Cell cheaper = Cell::number(each.cheaper);
        cheaper.shown = each.cheaper < 1e6 ? fixedText(each.cheaper, 2) : "\xE2\x80\x93";
        std::vector<Cell> row{Cell::text(each.family),
                              Cell::text(each.ratio),
                              cheaper,
                              each.parameters ? Cell::count(*each.parameters) : Cell{},
                              score,
                              each.predicted ? Cell::number(*each.predicted) : Cell{}};
        if (each.predicted) {
            row.back().shown = fixedText(*each.predicted, 4);
        }
        if (isExact) {
            row.push_back(each.score.count > 1 ? Cell::number(each.score.halfWidth) : Cell{});
            row.push_back(Cell::count(each.diverged));
        }
        table.rows.push_back(std::move(row));
    }
    table.caption = "students of a "
        + std::string(enumName(std::get<TeacherTask>(plan.task).teacher)) + " teacher, d_model "
        + std::to_string(plan.sizes.dModel) + ", " + std::to_string(plan.budget.steps) + " steps, "
        + seedsText(plan.seeds);
    return table;
}

// Which students the table lacks because no FFN of their family is as cheap.
void noteMissing(const std::vector<StudentResult>& students,
                 const LabDistilOptions& options,
                 Outcome& outcome)
{
    constexpr double kRounding = 1e-9;
    const std::vector<double> ratios = ratiosOf(options.ratios).value();
    for (const std::string& family : options.arms) {
        for (std::size_t i = 0; i < ratios.size(); ++i) {
            const bool isThere = std::ranges::any_of(students, [&](const StudentResult& each) {
                return each.family == family && each.cheaper >= ratios[i] * (1.0 - kRounding);
            });
            if (!isThere) {
                outcome.notes.push_back(family + ": even its smallest FFN needs more than 1/"
                                        + options.ratios[i] + " of the teacher's FLOPs");
            }
        }
    }
}

Outcome distilOutcome(const LabLog& log, const LabDistilOptions& options)
{
    const Result<std::vector<StudentResult>> students = studentResults(log);
    if (!students) {
        return Outcome::badInput(students.error());
    }
    Outcome outcome =
        options.output.of(studentTable(*students, log.plan, options.output.isExact()));
    noteMissing(*students, options, outcome);
    for (const StudentResult& each : *students) {
        if (each.diverged > 0) {
            outcome.notes.push_back(each.family
                                    + (each.ratio.empty() ? "" : " at ratio " + each.ratio)
                                    + " diverged on " + seedsText(each.diverged));
            outcome.codeAfterwards = ExitCode::diverged;
        }
    }
    return outcome;
}

Outcome distil(const LabDistilOptions& options)
{
    const Result<LabPlan> plan = distilPlanOf(options);
    if (!plan) {
        return Outcome::badInput(plan.error());
    }
    // Before the log, so that a refusal leaves none behind.
    const Result<std::vector<RunExecutor>> workers = options.executors.executors();
    if (!workers) {
        return Outcome::badInput(workers.error());
    }
    const Result<TemporaryFolder> folder = TemporaryFolder::create("distil");
    if (!folder) {
        return Outcome::badInput(folder.error());
    }
    const std::string path = options.log.empty() ? folder->path() + "/distil.jsonl" : options.log;
    Result<LabLogFile> log = LabLogFile::open(path, *plan, options.executors.machineName());
    if (!log) {
        return Outcome::badInput(log.error());
    }
    return trainedLab(
        *log, *workers, {}, [&](const LabLog& done) { return distilOutcome(done, options); });
}

} // namespace

void addLabDistil(ArgumentParser lab, Command& chosen)
{
    auto options = std::make_shared<LabDistilOptions>();
    const ArgumentParser command = lab.addCommand("distil",
                                                  "Students of one FFN at its FLOPs divided by "
                                                  "ratios; of a dense teacher beside closed forms");
    command
        .addOption("--teacher",
                   options->teacher,
                   "dense or gated, with random weights; or a file of a folder LOG.models")
        .typeName("dense|gated|FILE")
        .showDefault();
    command
        .addOption("--layer",
                   options->layer,
                   "With --teacher FILE: the layer whose FFN is the teacher, from 0")
        .showDefault();
    command.addOption("--d", options->dModel, "Width of teacher and students").showDefault();
    command.addOption("--ratios", options->ratios, "Of the teacher's FLOPs to the student's")
        .typeName("NUMBER,\xE2\x80\xA6")
        .delimiter(',')
        .oneValuePerUse();
    command.addOption("--arms", options->arms, "Students, see flopsmith lab tasks --arms")
        .typeName("NAME,\xE2\x80\xA6")
        .delimiter(',')
        .oneValuePerUse();
    command.addOption("--seeds", options->seeds, "That each student is trained with").showDefault();
    command.addOption("--steps", options->steps, "Of a run").showDefault();
    options->executors.addTo(command);
    command
        .addOption("--log", options->log, "A log to keep and continue; without it nothing is kept")
        .typeName("LOG");
    options->output.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return distil(*options); }; });
    command.footer("Example: flopsmith lab distil --teacher dense --d 64 --ratios 1,2,4,8");
}

} // namespace flopsmith::app
