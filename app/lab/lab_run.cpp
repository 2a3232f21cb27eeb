// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/lab_run.h"

#include "app/lab/lab_commands.h"
#include "app/options/options.h"
#include "app/terminal/progress_line.h"
#include "core/base/printable.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/lab/lab_file.h"
#include "core/lab/lab_results.h"
#include "core/lab/learned_claims.h"
#include "core/lab/task/shipped_text.h"
#include "core/lab/verdict.h"
#include "core/lab/worker_run.h"
#include "core/measure/environment.h"
#include "core/protocol/device/command_text.h"
#include "core/protocol/device/device.h"
#include "core/protocol/process/interrupt.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <memory>
#include <optional>
#include <thread>

namespace flopsmith::app {
namespace {

constexpr double kShownEvery = 0.1; ///< seconds
constexpr const char* kClaimedArms = "claims"; ///< stands for all FFNs of the design notes

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
    std::optional<int> sideBySide; ///< without it one per core
    std::vector<std::string> workers; ///< commands
    bool reference = false;
    std::string log;

    bool describesLab() const { return !file.empty() || !task.empty(); }

    /// Whether something is asked for that only a lab of its own could have.
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

// A file is known by its content, so that a continued lab does not read another text.
Status knowText(const std::string& file, LabPlan& plan)
{
    auto* task = std::get_if<TextTask>(&plan.task);
    if (task == nullptr) {
        return file.empty()
            ? Status(Done{})
            : Error{"--text " + excerpt(file) + ": only the task text reads a file"};
    }
    task->file = file.empty() ? task->file : file;
    if (task->sha256.empty()) {
        const Result<std::string> text =
            task->file.empty() ? std::string(shippedText()) : textOfFile(task->file);
        if (!text) {
            return text.error();
        }
        task->sha256 = sha256(*text);
    }
    return Done{};
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

// What is compared where nobody says.
std::vector<std::string> usualArms()
{
    return {"dense",
            "gated",
            "low_rank",
            "kronecker",
            "token_feedback",
            "random_projection",
            "spectral",
            "ultra"};
}

std::vector<Arm> chosenArms(const LabPlan& plan)
{
    std::vector<Arm> chosen;
    for (const Arm& arm : plan.arms) {
        if (arm.role == ArmRole::chosen) {
            chosen.push_back(arm);
        }
    }
    return chosen;
}

// Views that cool down; without a choice those of the plan.
Status applyViews(const std::vector<std::string>& views, LabPlan& plan)
{
    if (!views.empty()) {
        plan.branches.clear();
    }
    const std::vector<std::string_view> names = enumNames<LabView>();
    for (const std::string& view : views) {
        const auto known = std::ranges::find(names, view);
        if (known == names.end()) {
            return Error{"--views " + excerpt(view) + ": it must be steps, flops or seconds"};
        }
        plan.branches.push_back(static_cast<LabView>(known - names.begin()));
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
        const Result<LabPlan> read =
            text ? readLab(*text, printable(options.file)) : Result<LabPlan>(text.error());
        if (!read) {
            return read.error();
        }
        plan = *read;
        arms = chosenArms(plan);
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
    const Result<std::vector<Arm>> named =
        namedArms(isOpen ? usualArms() : options.arms, plan.sizes.dModel);
    if (!named) {
        return named.error();
    }
    arms.insert(arms.end(), named->begin(), named->end());
    for (const Status& status : {applySettings(options, plan),
                                 knowText(options.text, plan),
                                 applyNumbers(options, plan)}) {
        if (!status) {
            return status.error();
        }
    }
    return plannedLab(plan, arms);
}

int runsSideBySide(const LabRunOptions& options)
{
    if (!options.workers.empty()) {
        return static_cast<int>(options.workers.size());
    }
    const auto cores = static_cast<int>(std::thread::hardware_concurrency());
    return options.sideBySide.value_or(std::max(1, cores));
}

// What seconds were measured on.
std::string machineName(const LabRunOptions& options)
{
    const Environment here = currentEnvironment(1);
    const std::string name = here.cpuModel.empty() ? "this machine" : here.cpuModel;
    const int runs = runsSideBySide(options);
    return name + (runs > 1 ? ", " + std::to_string(runs) + " runs side by side" : "")
        + (options.reference ? ", reference kernels" : "");
}

Result<std::vector<RunExecutor>> executors(const LabRunOptions& options)
{
    constexpr int kMostJobs = 1'024;
    if (runsSideBySide(options) < 1 || runsSideBySide(options) > kMostJobs) {
        return Error{"--jobs must be 1 \xE2\x80\xA6 " + std::to_string(kMostJobs)};
    }
    const auto count = static_cast<std::size_t>(runsSideBySide(options));
    if (options.reference) {
        return std::vector<RunExecutor>(count, executorHere(Engines{}));
    }
    std::vector<RunExecutor> all;
    for (const std::string& worker : options.workers) {
        const Result<std::vector<std::string>> command = commandOf(worker);
        if (!command || command->empty()) {
            return Error{"--worker " + excerpt(worker) + ": "
                         + (command ? "a command is needed" : command.error().message)};
        }
        all.push_back(executorInProcess(*command));
    }
    const std::string own = (programFolder() / "flopsmith-train").string();
    return all.empty() ? std::vector<RunExecutor>(count, executorInProcess({own})) : all;
}

Result<LabLogFile> openedLog(const LabRunOptions& options)
{
    if (!options.describesLab() && options.changesLab()) {
        return Error{"Name a .flopsmith-lab file or a --task; without one the log goes on with its "
                     "own plan, and only -o is read"};
    }
    if (!options.describesLab()) {
        return LabLogFile::reopen(options.log);
    }
    const Result<LabPlan> plan = planOfOptions(options);
    return plan ? LabLogFile::open(options.log, *plan, machineName(options)) : plan.error();
}

/// One line on the terminal: run, step, loss and the time left.
class LabProgressLine
{
public:
    explicit LabProgressLine(const LabLog& log)
        : m_doneBefore(countRuns(log).done)
        , m_clock(steadyClock())
        , m_begin(m_clock())
    {}

    void show(const LabProgress& progress)
    {
        const double now = m_clock();
        if (!m_line.isVisible() || now - m_shown < kShownEvery) {
            return;
        }
        m_shown = now;
        m_line.show("run " + std::to_string(progress.runs.done + 1) + " of "
                    + std::to_string(progress.runs.planned) + ": " + keyText(progress.key)
                    + ", step " + std::to_string(progress.step) + " of "
                    + std::to_string(progress.steps) + ", loss " + fixedText(progress.loss, 3)
                    + left(progress, now));
    }

private:
    // By the time that the runs of this call took, all alike.
    std::string left(const LabProgress& progress, double now) const
    {
        const double done = static_cast<double>(progress.runs.done - m_doneBefore) + progress.begun;
        const auto planned = static_cast<double>(progress.runs.planned - m_doneBefore);
        return ", " + durationText((now - m_begin) * (planned - done) / done) + " left";
    }

    ProgressLine m_line;
    std::size_t m_doneBefore;
    Clock m_clock;
    double m_begin;
    double m_shown = -1.0;
};

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
    std::string text = viewText(log, results) + "\n";
    for (const std::string& sentence : verdicts(log, view)) {
        text += sentence + "\n";
    }
    Outcome outcome = Outcome::success(printableLines(text));
    outcome.notes = notesOf(log);
    outcome.notes.push_back("the log is in " + printable(path));
    if (hasDiverged(results)) {
        outcome.codeAfterwards = ExitCode::diverged;
    }
    return outcome;
}

Outcome runLabCommand(const LabRunOptions& options)
{
    Result<LabLogFile> log = openedLog(options);
    if (!log) {
        return Outcome::badInput(log.error());
    }
    const Result<std::vector<RunExecutor>> workers = executors(options);
    if (!workers) {
        return Outcome::badInput(workers.error());
    }
    return trainedLab(
        *log, *workers, [&](const LabLog& done) { return labOutcome(done, options.log); });
}

void addLabNumbers(ArgumentParser run, const std::shared_ptr<LabRunOptions>& options)
{
    run.addOption("--seeds", options->seeds, "That each arm is trained with; 5 without it");
    const Option steps = run.addOption("--steps", options->steps, "Of a run; 500 without a budget");
    run.addOption("--flops", options->flops, "Of a run, in place of steps: equal FLOPs")
        .excludes(steps);
    run.addOption("--rate", options->rate, "Learning rate in the middle of those tried; 0.003")
        .typeName("RATE");
    run.addFlag("--no-tuning", options->untuned, "Give every arm this rate");
    run.addOption(
           "--views",
           options->views,
           "Views whose models cool down, each in branches of the runs: steps, flops, seconds; "
           "that of the budget without it")
        .typeName("VIEW,\xE2\x80\xA6")
        .delimiter(',')
        .oneValuePerUse();
    run.addOption("--precision", options->precision, "Of the kernels")
        .oneOf({"float32", "float64"})
        .showDefault();
    const Option sideBySide = run.addOption(
        "-j,--jobs", options->sideBySide, "Runs side by side, each on one core; one per core");
    const Option workers =
        run.addOption("--worker",
                      options->workers,
                      "A command that trains a run, as ssh box flopsmith-train; may be repeated")
            .typeName("COMMAND")
            .excludes(sideBySide);
    run.addFlag("--reference", options->reference, "By the reference kernels, in this process")
        .excludes(workers);
}

} // namespace

Outcome trainedLab(LabLogFile& log,
                   const std::vector<RunExecutor>& workers,
                   const std::function<Outcome(const LabLog&)>& whenComplete)
{
    int signal = 0;
    Result<LabEnd> end = LabEnd::complete;
    {
        const Interrupt interrupt;
        LabProgressLine line(log.log());
        LabSettings settings{.executors = workers};
        settings.progress = [&line](const LabProgress& progress) { line.show(progress); };
        end = runLab(log, settings, interrupt.token());
        signal = interrupt.signal();
    }
    if (!end) {
        return Outcome::badInput(end.error());
    }
    if (*end == LabEnd::complete) {
        return whenComplete(log.log());
    }
    const LabProgressCount count = countRuns(log.log());
    noteNow("stopped after " + std::to_string(count.done) + " of " + std::to_string(count.planned)
            + " runs; flopsmith lab run -o " + printable(log.path()) + " goes on");
    if (signal != 0) {
        std::raise(signal); // after the cleanup the program ends by its signal
    }
    return Outcome::success({});
}

Result<std::vector<RunExecutor>> ownWorkers(std::optional<int> sideBySide)
{
    LabRunOptions options;
    options.sideBySide = sideBySide;
    return executors(options);
}

std::string ownMachine(std::optional<int> sideBySide)
{
    LabRunOptions options;
    options.sideBySide = sideBySide;
    return machineName(options);
}

void addLabRun(ArgumentParser lab, Command& chosen)
{
    auto options = std::make_shared<LabRunOptions>();
    const ArgumentParser run =
        lab.addCommand("run", "Train what a log lacks; a log that is there goes on");
    run.addOption("FILE", options->file, "A .flopsmith-lab; or name a task")
        .excludes(
            run.addOption("--task", options->task, "See flopsmith lab tasks").typeName("NAME"));
    run.addOption("--arms",
                  options->arms,
                  "FFNs to compare, see flopsmith lab tasks --arms; claims for those "
                  "of the design notes; the usual eight without it")
        .typeName("NAME,\xE2\x80\xA6")
        .delimiter(',')
        .oneValuePerUse();
    run.addOption("--set", options->settings, "A number of the task: batch=64")
        .typeName("NUMBER=VALUE")
        .oneValuePerUse();
    run.addOption(
           "--text", options->text, "The file of the task text; the program has one of its own")
        .typeName("FILE");
    run.addOption("--preset", options->preset, "Sizes of the models")
        .oneOf({"nano", "micro", "small"})
        .showDefault();
    run.addOption("--mixer", options->mixer, "What mixes tokens in the models")
        .oneOf({"attention", "fourier"})
        .showDefault();
    addLabNumbers(run, options);
    run.addOption("-o,--output", options->log, "The log; alone, it goes on with its own plan")
        .typeName("LOG")
        .required();
    run.callback([options, &chosen] { chosen = [options] { return runLabCommand(*options); }; });
    run.footer("Exit code 4: an arm diverged. Ctrl+C keeps what is done.");
}

} // namespace flopsmith::app
