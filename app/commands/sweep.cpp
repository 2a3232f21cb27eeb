// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/options/device_list_options.h"
#include "app/options/device_options.h"
#include "app/options/hardware_options.h"
#include "app/options/options.h"
#include "app/sweep/sweep_run.h"
#include "core/base/printable.h"
#include "core/json/json.h"
#include "core/study/variation/axis_text.h"

#include <algorithm>
#include <csignal>
#include <thread>

namespace flopsmith::app {
namespace {

struct SweepOptions
{
    ModelOptions model;
    HardwareOptions hardware;
    DeviceListOptions devices;
    OutputOptions output;
    std::vector<std::string> axes;
    std::vector<std::string> metrics{"flops", "params"};
    std::vector<std::string> ties;
    std::vector<std::string> front;
    std::string share; ///< "3/16"; empty: all
    bool fit = false;
    int threads = 0;

    int workers() const
    {
        return threads > 0 ? threads : static_cast<int>(std::thread::hardware_concurrency());
    }
};

Result<MetricId> metricOf(const std::string& option, const std::string& name)
{
    const auto id = metricNamed(name);
    return id
        ? Result<MetricId>(*id)
        : Error{option + " " + excerpt(name) + ": no such metric; known are " + metricNames()};
}

Result<SweepPlan> planOf(const SweepOptions& options, const Asked& asked)
{
    SweepPlan plan{.base = asked.scenario, .lens = asked.lens, .pairs = asked.pairs};
    const bool others = options.axes.size() > 1 || !options.ties.empty();
    const AxisValues allowed = others ? AxisValues::any : AxisValues::legal;
    for (const std::string& text : options.axes) {
        FLOPSMITH_TRY(const Axis axis, parsedAxis(text, asked.scenario, allowed));
        plan.axes.push_back(axis);
    }
    for (const std::string& name : options.metrics) {
        FLOPSMITH_TRY(const MetricId id, metricOf("--metric", name));
        plan.metrics.push_back(id);
    }
    FLOPSMITH_TRY(std::vector<Tie> ties, parsedTies(options.ties));
    plan.ties = std::move(ties);
    if (!options.share.empty()) {
        const Result<WorkShare> share = workShareOf(options.share);
        if (!share) {
            return Error{"--share " + share.error().message};
        }
        plan.share = *share;
    }
    return plan;
}

// The quantities of --pareto; missing ones become columns.
Result<std::vector<Objective>> objectives(const SweepOptions& options, SweepPlan& plan)
{
    std::vector<Objective> all;
    for (std::string name : options.front) {
        Objective objective;
        if (name.front() == '+') {
            objective.better = Better::larger;
            name.erase(0, 1);
        }
        FLOPSMITH_TRY(const MetricId id, metricOf("--pareto", name));
        const auto column = std::find(plan.metrics.begin(), plan.metrics.end(), id);
        objective.column = static_cast<std::size_t>(column - plan.metrics.begin());
        if (column == plan.metrics.end()) {
            plan.metrics.push_back(id);
        }
        all.push_back(objective);
    }
    if (all.size() == 1) {
        return Error{"--pareto: a front needs two metrics, as in --pareto flops,params"};
    }
    return all;
}

std::string metricHelp()
{
    return "Columns: " + metricNames(metrics(MetricNeeds::nothing))
        + "; with --hardware: " + metricNames(metrics(MetricNeeds::hardware))
        + "; measured: " + metricNames(metrics(MetricNeeds::measuring));
}

Outcome done(const SweepOptions& options, SweepRun& run)
{
    if (!run.plan.isMeasured()) {
        return sweepOutcome(run, options.output);
    }
    const Result<std::vector<Device>> devices = options.devices.devices();
    return devices ? measuredSweepOutcome(run,
                                          options.output,
                                          *devices,
                                          {.budgetSeconds = options.devices.budgetSeconds()},
                                          options.devices.storeOptions().choice())
                   : noDevice(devices.error());
}

Outcome run(const SweepOptions& options)
{
    const Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    Result<SweepPlan> plan = planOf(options, *asked);
    if (!plan) {
        return Outcome::badInput(plan.error());
    }
    const Result<std::vector<Objective>> wanted = objectives(options, *plan);
    if (!wanted) {
        return Outcome::badInput(wanted.error());
    }
    std::vector<std::string> notes = asked->notes;
    const auto hardware = options.hardware.metricHardware(notes);
    if (const auto* failed = std::get_if<Outcome>(&hardware)) {
        return *failed;
    }
    if (options.devices.areNamed() && !plan->isMeasured()) {
        plan->metrics.push_back(MetricId::time);
    }
    plan->on = std::get<std::optional<MetricHardware>>(hardware);
    SweepRun sweeping{
        .plan = *plan, .objectives = *wanted, .fit = options.fit, .workers = options.workers()};
    Outcome outcome = done(options, sweeping);
    if (sweeping.signal != 0) {
        std::raise(sweeping.signal); // after the cleanup the program ends by its signal
    }
    if (std::string note = sweeping.tieNote(); !note.empty()) {
        notes.push_back(std::move(note));
    }
    outcome.notes.insert(outcome.notes.begin(), notes.begin(), notes.end());
    return outcome;
}

// The options for varied parameters and ties.
void addVariation(const ArgumentParser& command, SweepOptions& options)
{
    command
        .addOption("--axis",
                   options.axes,
                   "KEY=FROM..TO, with :log2 (doubling), :step N or :COUNT after it, or "
                   "KEY=A,B,C; several axes give all combinations")
        .typeName("AXIS")
        .required()
        .oneValuePerUse();
    command
        .addOption("--tie",
                   options.ties,
                   "A parameter that follows another: d_ff=4*d_model, heads=d_model/64")
        .typeName("TIE")
        .oneValuePerUse();
}

} // namespace

void addSweep(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<SweepOptions>();
    const ArgumentParser command =
        program.addCommand("sweep", "How cost changes along one or several parameters");
    options->model.addTo(command);
    options->model.addLensTo(command);
    addVariation(command, *options);
    command.addOption("--metric", options->metrics, metricHelp())
        .typeName("NAME,\xE2\x80\xA6")
        .delimiter(',')
        .oneValuePerUse();
    command
        .addOption("--pareto",
                   options->front,
                   "Mark the points that no other beats in these metrics; less is better, "
                   "+NAME: more is")
        .typeName("NAME,\xE2\x80\xA6")
        .delimiter(',')
        .oneValuePerUse();
    command
        .addOption("--share",
                   options->share,
                   "Only this share of the points, as 3/16: the points 3, 19, 35, \xE2\x80\xA6")
        .typeName("K/N");
    command.addFlag(
        "--fit", options->fit, "Say how each metric grows along the first axis, as a power");
    options->hardware.useStore(options->devices.storeOptions());
    options->hardware.addMetricsTo(command);
    command.addOption("--threads", options->threads, "That compute points; 0: one per core")
        .check(wholeBetween(0, 1024))
        .typeName("N")
        .showDefault();
    options->devices.addTo(command);
    options->output.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return run(*options); }; });
    command.footer("Examples:\n"
                   "  flopsmith sweep gpt2 --axis seq=128..8192:log2 --fit --format csv\n"
                   "  flopsmith sweep gpt2 --axis seq=128..1024:log2 --metric flops,time,time_mad "
                   "--device 'this CPU,GPU box' --budget 5");
}

} // namespace flopsmith::app
