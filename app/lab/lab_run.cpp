// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/lab_commands.h"
#include "app/lab/lab_executors.h"
#include "app/lab/lab_training.h"
#include "app/options/options.h"
#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/lab/plan/lab_file.h"
#include "core/lab/results/lab_results.h"
#include "core/lab/results/learned_claims.h"
#include "core/lab/results/verdict.h"
#include "core/lab/task/training_text.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

namespace flopsmith::app {
namespace {

constexpr const char* kClaimedArms = "claims"; ///< all FFNs of the design notes

struct LabRunOptions
{
    std::string file;
    std::string task;
    std::vector<std::string> settings;
    std::string text;
    std::vector<std::string> arms;
    std::string preset = "nano";
    std::string mixer = "attention";
    std::optional<int> seeds;
    std::optional<int> steps;
    std::optional<double> flops;
    std::optional<double> rate;
    bool untuned = false;
    std::vector<std::string> views;
    std::string precision = "float32";
    LabExecutorOptions executors;
    std::string share; ///< "3/16"; empty: all
    std::string log;

    bool describesLab() const { return !file.empty() || !task.empty(); }

    /// Whether an option is given that only a new lab can have.
    bool changesLab() const
    {
        return !settings.empty() || !text.empty() || !arms.empty() || seeds || steps || flops
            || rate || untuned || !views.empty();
    }
};

Status applySettings(const LabRunOptions& options, LabPlan& plan)
{
    for (const std::string& setting : options.settings) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos) {
            return Error{"--set " + excerpt(setting) + ": write NUMBER=VALUE, as in batch=64"};
        }
        const Status set = setTaskNumber(plan.task,
                                         plan.sizes.dModel,
                                         std::string_view(setting).substr(0, equals),
                                         std::string_view(setting).substr(equals + 1));
        if (!set) {
            return Error{"--set " + set.error().message};
        }
    }
    return Done{};
}

Status takeText(const std::string& file, LabPlan& plan)
{
    auto* task = std::get_if<TextTask>(&plan.task);
    if (task == nullptr) {
        return file.empty()
            ? Status(Done{})
            : Error{"--text " + excerpt(file) + ": only the task text reads a file"};
    }
    if (!file.empty()) {
        task->file = file;
        task->sha256.clear(); // the plan's hash belongs to its own file
    }
    return loadText(*task);
}

Result<std::vector<Arm>> namedArms(const std::vector<std::string>& names, int dModel)
{
    std::vector<Arm> arms;
    for (const std::string& name : names) {
        if (name == kClaimedArms) {
            const std::vector<Arm> claimed = claimedArms(dModel);
            arms.insert(arms.end(), claimed.begin(), claimed.end());
            continue;
        }
        const Result<FfnSpec> ffn = armNamed(name, dModel);
        if (!ffn) {
            return Error{"--arms: " + ffn.error().message};
        }
        arms.push_back({.name = name, .ffn = *ffn});
    }
    return arms;
}

// What is compared by default.
std::vector<std::string> usualArms()
{
    return {"dense",
            "gated",
            "low_rank",
            "kronecker",
            "monarch",
            "token_feedback",
            "random_projection",
            "spectral",
            "ultra"};
}

std::string usualArmNames()
{
    std::string text;
    for (const std::string& name : usualArms()) {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

// Views that cool down; by default the plan's.
Status applyViews(const std::vector<std::string>& views, LabPlan& plan)
{
    if (!views.empty()) {
        plan.branches.clear();
    }
    for (const std::string& name : views) {
        const std::optional<LabView> view = viewNamed(name);
        if (!view) {
            return Error{"--views " + excerpt(name) + ": it must be steps, flops or seconds"};
        }
        plan.branches.push_back(*view);
    }
    return Done{};
}

Status applyNumbers(const LabRunOptions& options, LabPlan& plan)
{
    plan.seeds = options.seeds.value_or(plan.seeds);
    if (options.steps) {
        plan.budget = {.kind = BudgetKind::steps, .steps = *options.steps};
    }
    if (options.flops) {
        if (!std::isfinite(*options.flops) || *options.flops < 1.0 || *options.flops > 1e30) {
            return Error{"--flops must be 1 \xE2\x80\xA6 1e30"};
        }
        plan.budget = {.kind = BudgetKind::flops, .flops = static_cast<Count>(*options.flops)};
    }
    plan.baseRate = options.rate.value_or(plan.baseRate);
    plan.tunes = plan.tunes && !options.untuned;
    return applyViews(options.views, plan);
}

Result<LabPlan> planOfOptions(const LabRunOptions& options)
{
    LabPlan plan;
    std::vector<Arm> arms;
    if (!options.file.empty()) {
        const Result<std::string> text = textOfFile(options.file);
        FLOPSMITH_TRY(const LabPlan read,
                      text ? readLab(*text, printable(options.file))
                           : Result<LabPlan>(text.error()));
        plan = read;
        arms = plan.chosenArms();
    } else {
        const Result<TaskSpec> task = taskNamed(options.task);
        const Result<LabSizes> sizes = sizesNamed(options.preset);
        if (!task || !sizes) {
            return task ? sizes.error() : task.error();
        }
        plan.task = *task;
        plan.sizes = *sizes;
        plan.sizes.mixer = options.mixer == "fourier" ? LabMixer::fourier : LabMixer::attention;
        const bool isDouble = options.precision == "float64";
        plan.precision = isDouble ? LabPrecision::float64 : LabPrecision::float32;
    }
    const bool isOpen = options.arms.empty() && options.file.empty();
    FLOPSMITH_TRY(const std::vector<Arm> named,
                  namedArms(isOpen ? usualArms() : options.arms, plan.sizes.dModel));
    arms.insert(arms.end(), named.begin(), named.end());
    for (const Status& status : {applySettings(options, plan),
                                 takeText(options.text, plan),
                                 applyNumbers(options, plan)}) {
        if (!status) {
            return status.error();
        }
    }
    return plannedLab(plan, arms);
}

Result<LabLogFile> openedLog(const LabRunOptions& options)
{
    if (!options.describesLab() && options.changesLab()) {
        return Error{
            "Name a .flopsmith-lab file or a --task; without one the log continues with its own "
            "plan, so leave out --set, --text, --arms, --seeds, --steps, --flops, --rate, "
            "--no-tuning and --views"};
    }
    if (!options.describesLab()) {
        std::error_code ignored;
        return std::filesystem::exists(options.log, ignored)
            ? LabLogFile::reopen(options.log)
            : Error{printable(options.log)
                    + " does not exist; to begin it, name a .flopsmith-lab file or a --task"};
    }
    const Result<LabPlan> plan = planOfOptions(options);
    return plan ? LabLogFile::open(options.log, *plan, options.executors.machineName())
                : plan.error();
}

std::vector<std::string> notesOf(const LabLog& log)
{
    std::vector<std::string> notes;
    if (log.damagedLines > 0) {
        notes.push_back(std::to_string(log.damagedLines)
                        + " damaged lines of the log were left out");
    }
    for (const Arm& arm : log.plan.arms) {
        for (const std::string& note : armNotes(arm, log.plan.sizes.dModel)) {
            notes.push_back(note);
        }
    }
    return notes;
}

// Of arms that take a step though the budget buys none.
std::vector<std::string> budgetNotes(const LabPlan& plan, const LabResults& results)
{
    std::vector<std::string> notes;
    for (const ArmResult& arm : results.arms) {
        const bool isAbove = std::ranges::any_of(arm.points, [&plan](const auto& seed) {
            return seed.second.flops > toDouble(plan.budget.flops);
        });
        if (plan.budget.kind == BudgetKind::flops && isAbove) {
            notes.push_back(arm.arm.name + ": its only step needs more FLOPs than the budget");
        }
    }
    return notes;
}

bool hasDiverged(const LabResults& results)
{
    bool any = false;
    for (const ArmResult& arm : results.arms) {
        any = any || arm.gaveUp || arm.diverged > 0;
    }
    return any;
}

Outcome labOutcome(const LabLog& log, const std::string& path)
{
    const LabView view = log.plan.ownView();
    const LabResults results = labResults(log, view);
    Outcome outcome = Outcome::success(printableLines(verdictText(log, view)));
    outcome.notes = notesOf(log);
    for (const std::string& note : budgetNotes(log.plan, results)) {
        outcome.notes.push_back(note);
    }
    outcome.notes.push_back("the log is in " + printable(path));
    if (hasDiverged(results)) {
        outcome.codeAfterwards = ExitCode::diverged;
    }
    return outcome;
}

// A share says nothing of the whole.
Outcome shareOutcome(const LabLog& log, const WorkShare& share, const std::string& path)
{
    return Outcome::success(printableLines(
        path + ": share " + std::to_string(share.number) + " of " + std::to_string(share.of)
        + " is done, " + std::to_string(countRuns(log, share).done) + " runs\n"));
}

Result<WorkShare> sharedOf(const std::string& text)
{
    const Result<WorkShare> share = text.empty() ? WorkShare{} : workShareOf(text);
    return share ? share : Error{"--share " + share.error().message};
}

Outcome runLabCommand(const LabRunOptions& options)
{
    const Result<WorkShare> share = sharedOf(options.share);
    // Before the log, so that a refusal leaves none behind.
    const Result<std::vector<RunExecutor>> workers =
        share ? options.executors.executors() : share.error();
    if (!workers) {
        return Outcome::badInput(workers.error());
    }
    Result<LabLogFile> log = openedLog(options);
    if (!log) {
        return Outcome::badInput(log.error());
    }
    return trainedLab(*log, *workers, *share, [&](const LabLog& done) {
        return share->of == 1 ? labOutcome(done, options.log)
                              : shareOutcome(done, *share, options.log);
    });
}

void addLabNumbers(ArgumentParser run, const std::shared_ptr<LabRunOptions>& options)
{
    run.addOption("--seeds", options->seeds, "Seeds per arm; default 5");
    const Option steps = run.addOption("--steps", options->steps, "Steps per run; default 500");
    run.addOption(
           "--flops", options->flops, "Training FLOPs per run (lens exact), in place of --steps")
        .excludes(steps);
    run.addOption("--rate", options->rate, "The middle of the learning rates that are tried; 0.003")
        .typeName("RATE");
    run.addFlag("--no-tuning", options->untuned, "Train every arm at --rate, without tuning");
    run.addOption("--views",
                  options->views,
                  "Also cool down models for these views (steps, flops, seconds), each in a branch "
                  "of every "
                  "run; default: the view of the budget only")
        .typeName("VIEW,\xE2\x80\xA6")
        .delimiter(',')
        .oneValuePerUse();
    options->executors.addTo(run);
    run.addOption("--share",
                  options->share,
                  "Train only this share of the arms (of the runs, with --no-tuning), as 3/16; the "
                  "logs of all shares are merged")
        .typeName("K/N");
}

} // namespace

void addLabRun(ArgumentParser lab, Command& chosen)
{
    auto options = std::make_shared<LabRunOptions>();
    const ArgumentParser run =
        lab.addCommand("run", "Train what a log lacks; an existing log is continued");
    const Option file = run.addOption("FILE", options->file, "A .flopsmith-lab; or name a task");
    const Option task =
        run.addOption("--task", options->task, "See flopsmith lab tasks").typeName("NAME");
    file.excludes(task);
    run.addOption("--arms",
                  options->arms,
                  "FFNs to compare, see flopsmith lab tasks --arms; claims for those "
                  "of the design notes; default: "
                      + usualArmNames())
        .typeName("NAME,\xE2\x80\xA6")
        .delimiter(',')
        .oneValuePerUse();
    run.addOption("--set", options->settings, "A number of the task: batch=64")
        .typeName("NUMBER=VALUE")
        .oneValuePerUse();
    run.addOption(
           "--text", options->text, "The file of the task text; the program has one of its own")
        .typeName("FILE");
    run.addOption("--preset", options->preset, "Model sizes, with --task")
        .oneOf({"nano", "micro", "small"})
        .showDefault()
        .needs(task);
    run.addOption("--mixer", options->mixer, "Token mixer of the models, with --task")
        .oneOf({"attention", "fourier"})
        .showDefault()
        .needs(task);
    run.addOption("--precision", options->precision, "Floating-point type, with --task")
        .oneOf({"float32", "float64"})
        .showDefault()
        .needs(task);
    addLabNumbers(run, options);
    run.addOption("-o,--output", options->log, "The log; alone, it is continued with its own plan")
        .typeName("LOG")
        .required();
    run.callback([options, &chosen] { chosen = [options] { return runLabCommand(*options); }; });
    run.footer("Exit code 4: an arm diverged. Ctrl+C keeps what is done.");
}

} // namespace flopsmith::app
