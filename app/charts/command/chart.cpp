// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/chart_drawing.h"
#include "app/charts/command/chart_commands.h"
#include "app/charts/command/chart_options.h"
#include "app/charts/run_request.h"
#include "app/measuring/claims_run.h"
#include "app/measuring/measuring_runs.h"
#include "app/options/compared_models.h"
#include "core/study/axis_text.h"
#include "core/study/machine/measured_roofs.h"

namespace flopsmith::app {
namespace {

// Values of one axis may be legal only together with those of another.
Status readAxes(const ChartOptions& options, const Scenario& scenario, ui::FigureRequest& request)
{
    const AxisValues allowed = options.axes.size() > 1 ? AxisValues::any : AxisValues::legal;
    for (const std::string& text : options.axes) {
        const Result<Axis> axis = parsedAxis(text, scenario, allowed);
        if (!axis) {
            return axis.error();
        }
        request.axes.push_back(*axis);
    }
    if (!options.needs().combinations && !request.axes.empty()) {
        request.axis = request.axes.front();
    }
    return Done{};
}

// The parameters that a chart varies.
Result<std::vector<Axis>> axesOf(const ChartOptions& options, const ui::FigureRequest& request)
{
    if (options.needs().combinations) {
        return ui::studyAxes(request);
    }
    const Result<Axis> axis = ui::scalingAxis(request);
    return axis ? Result<std::vector<Axis>>({*axis}) : axis.error();
}

// Charts that vary parameters follow the ties of a project, as in the window; no axis may be tied.
Status addTies(const ChartOptions& options, const Asked& asked, ui::FigureRequest& request)
{
    const ParameterRules& rules = asked.loaded.rules;
    if (rules.ties.empty() || !(options.needs().combinations || options.needs().axis)) {
        return Done{};
    }
    const Result<std::vector<Axis>> axes = axesOf(options, request);
    if (!axes) {
        return axes.error();
    }
    for (const Axis& axis : *axes) {
        if (const Status free = variable(rules, asked.scenario, axis.key); !free) {
            return Error{"axis " + axis.key + ": the project has the tie " + free.error().message};
        }
    }
    request.ties = keyedTies(asked.scenario, rules);
    return Done{};
}

Result<ui::FigureRequest> requestOf(const ChartOptions& options, const Asked& asked)
{
    ui::FigureRequest request{
        .kind = *ui::chartKindNamed(options.kind), .scenario = asked.scenario, .lens = asked.lens};
    const auto metric = metricNamed(options.metric);
    if (!metric) {
        return Error{"--metric " + options.metric + ": no such metric; known are " + metricNames()};
    }
    request.metric = *metric;
    request.from = lensNamed(options.from).value_or(LensId::matmul);
    if (options.model.namesPairs()) {
        request.pairs = asked.pairs;
    }
    const Result<ParetoGoals> goals = parsedGoals(options.front);
    if (!goals) {
        return Error{"--pareto " + goals.error().message};
    }
    request.goals = *goals;
    if (const Status read = readAxes(options, asked.scenario, request); !read) {
        return read.error();
    }
    if (const Status tied = addTies(options, asked, request); !tied) {
        return tied.error();
    }
    return request;
}

// Fills in what the same device measures of the models beside the first, where a chart draws it.
std::optional<Outcome> measuredOthers(const ChartOptions& options,
                                      const Device& device,
                                      ui::FigureRequest& request,
                                      std::vector<std::string>& notes)
{
    if (!options.needs().times || !options.chartKind().drawsOthers) {
        return std::nullopt;
    }
    for (const ComparedDesign& other : request.others) {
        const MeasuringRun run = measuringRun(other.scenario,
                                              device,
                                              measuredParts(other.scenario),
                                              options.device.measuring(),
                                              options.device.store());
        if (run.outcome.unavailable) {
            return Outcome::failure(ExitCode::deviceUnavailable, run.outcome.unavailable->message);
        }
        for (const std::string& note : run.notes()) {
            notes.push_back(other.name + ": " + note);
        }
        addOtherRun(request, run);
    }
    return std::nullopt;
}

// Fills in measured times, or says why there are none.
std::optional<Outcome> measured(const ChartOptions& options,
                                ui::FigureRequest& request,
                                std::vector<std::string>& notes)
{
    const Result<Device> device = options.device.device();
    if (!device) {
        return noDevice(device.error());
    }
    if (options.needs().axis) {
        const Result<Axis> axis = ui::scalingAxis(request);
        if (!axis) {
            return Outcome::badInput(axis.error());
        }
        auto curves = options.curves.measured(usualVariants(request.scenario, request.ties),
                                              *axis,
                                              *device,
                                              options.device.measuring(),
                                              options.device.store());
        if (const auto* failed = std::get_if<Outcome>(&curves)) {
            return *failed;
        }
        auto& [times, run] = std::get<CurvesRun>(curves);
        request.curves = std::move(times);
        addRun(request, run);
        request.device = device->name;
        request.measuredAs =
            roofConditions(options.device.measuring().precision, options.device.measuring().cache);
        return std::nullopt;
    }
    const MeasuringRun run = measuringRun(request.scenario,
                                          *device,
                                          measuredParts(request.scenario),
                                          options.device.measuring(),
                                          options.device.store());
    if (run.outcome.unavailable) {
        return Outcome::failure(ExitCode::deviceUnavailable, run.outcome.unavailable->message);
    }
    for (std::string& note : run.notes()) {
        notes.push_back(std::move(note));
    }
    addRun(request, run);
    return measuredOthers(options, *device, request, notes);
}

// Fills in what each of several devices measured, or says why none did.
std::optional<Outcome> measuredSideBySide(const ChartOptions& options,
                                          ui::FigureRequest& request,
                                          std::vector<std::string>& notes)
{
    const Result<std::vector<Device>> devices = options.device.devices();
    if (!devices) {
        return noDevice(devices.error());
    }
    const std::vector<MeasuringRun> runs = measuringRuns(request.scenario,
                                                         *devices,
                                                         measuredParts(request.scenario),
                                                         options.device.measuring(),
                                                         options.device.store());
    request.sideBySide = deviceTimes(runs);
    request.measuredAs = runs.front().conditions();
    request.now = unixNow();
    for (std::string& note : failureNotes(runs)) {
        notes.push_back(std::move(note));
    }
    return failureOf(runs);
}

// The device of a memory or roofline chart: one of the table, or the one that was just measured.
std::optional<Outcome> withHardware(const ChartOptions& options,
                                    ui::FigureRequest& request,
                                    std::vector<std::string>& notes)
{
    if (options.needs().hardware && request.machine) {
        request.hardware = hardwareOf(*request.machine);
    }
    if (options.hardware.isNamed()) {
        const std::variant<FoundHardware, Outcome> found = options.hardware.found();
        if (const auto* failed = std::get_if<Outcome>(&found)) {
            return *failed;
        }
        const FoundHardware& device = std::get<FoundHardware>(found);
        request.hardware = device.hardware;
        notes.insert(notes.end(), device.notes.begin(), device.notes.end());
        request.machine = request.machine ? request.machine : device.machine;
    }
    return std::nullopt;
}

// Fills in the models beside the first, and says of all what a reader should know.
Status withOthers(const ChartOptions& options,
                  ui::FigureRequest& request,
                  std::vector<std::string>& notes)
{
    if (options.others.empty()) {
        return Done{};
    }
    Result<ComparedModels> models = comparedModels(options.model, options.models());
    if (!models) {
        return models.error();
    }
    request.name = models->designs.front().name;
    request.others.assign(models->designs.begin() + 1, models->designs.end());
    notes = std::move(models->notes);
    if (!options.chartKind().drawsOthers) {
        notes.push_back("chart --kind " + options.kind + " shows " + request.name + " alone");
    }
    return Done{};
}

Outcome drawn(const ChartOptions& options, const ui::FigureRequest& request, QSize size)
{
    const auto figure = ui::figureFor(request);
    if (!figure) {
        return Outcome::badInput(figure.error());
    }
    const ui::Theme& theme = options.theme == "dark" ? ui::darkTheme() : ui::lightTheme();
    const Status written =
        ui::exportChart(**figure, QString::fromStdString(options.target), size, theme);
    return written ? Outcome::success("wrote " + options.target + "\n")
                   : Outcome::badInput(written.error());
}

Outcome modelChart(const ChartOptions& options, QSize size)
{
    const Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    Result<ui::FigureRequest> request = requestOf(options, *asked);
    if (!request) {
        return Outcome::badInput(request.error());
    }
    std::vector<std::string> notes = asked->notes;
    if (const Status done = withOthers(options, *request, notes); !done) {
        return Outcome::badInput(done.error());
    }
    if (options.measures()) {
        if (const auto failure = options.device.areSeveral()
                ? measuredSideBySide(options, *request, notes)
                : measured(options, *request, notes)) {
            return *failure;
        }
    }
    if (const auto failure = withHardware(options, *request, notes)) {
        return *failure;
    }
    const DrawingApplication application;
    Outcome outcome = drawn(options, *request, size);
    outcome.notes = std::move(notes);
    return outcome;
}

// The claims, counted, and measured if a device is named. They need no model.
Outcome claimsChart(const ChartOptions& options, QSize size)
{
    const Result<ClaimSizes> sizes = options.claims.sizes();
    if (!sizes) {
        return Outcome::badInput(sizes.error());
    }
    ui::FigureRequest request{.kind = ui::ChartId::claims, .claimSizes = *sizes};
    std::vector<std::string> notes;
    if (options.device.isNamed()) {
        const Result<Device> device = options.device.device();
        if (!device) {
            return noDevice(device.error());
        }
        const ClaimsRun run =
            measuredClaims(*sizes, *device, options.device.measuring(), options.device.store());
        if (run.run.outcome.unavailable) {
            return Outcome::failure(ExitCode::deviceUnavailable,
                                    run.run.outcome.unavailable->message);
        }
        notes = run.run.notes();
        request.measuredClaims = run.measured;
        addRun(request, run.run);
    }
    const DrawingApplication application;
    Outcome outcome = drawn(options, request, size);
    outcome.notes = std::move(notes);
    return outcome;
}

Outcome chart(const ChartOptions& options)
{
    if (const Status fit = fits(options); !fit) {
        return Outcome::failure(ExitCode::wrongUsage, fit.error().message);
    }
    const Result<QSize> size = parsedSize(options.size);
    if (!size) {
        return Outcome::failure(ExitCode::wrongUsage, size.error().message);
    }
    const auto format = ui::exportFormat(QString::fromStdString(options.target));
    if (!format) {
        return Outcome::badInput(format.error());
    }
    return options.needs().model ? modelChart(options, *size) : claimsChart(options, *size);
}

std::vector<std::string> kindNames()
{
    std::vector<std::string> names;
    for (const ui::ChartKind& kind : ui::chartKinds()) {
        names.emplace_back(kind.name);
    }
    return names;
}

std::string kindList()
{
    std::string list;
    for (const std::string& name : kindNames()) {
        list += (list.empty() ? "" : ", ") + name;
    }
    return list;
}

} // namespace

void addChart(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<ChartOptions>();
    const ArgumentParser command = program.addCommand("chart", "Draws a chart into a file");
    options->model.addTo(command);
    options->model.makeOptional(command);
    options->model.addLensTo(command);
    command.addOption("--kind", options->kind, kindList())
        .required()
        .oneOf(kindNames())
        .typeName("NAME");
    command
        .addOption(
            "-o,--output", options->target, "The file; its suffix says svg, pdf, png, csv or tex")
        .required()
        .typeName("FILE");
    command
        .addOption("--with",
                   options->others,
                   "Another model beside this one, under the same options; up to three times")
        .typeName("MODEL")
        .oneValuePerUse();
    command
        .addOption("--axis",
                   options->axes,
                   "Of a scaling chart, twice of a heat map, of a Pareto front as often as there "
                   "are parameters to combine: KEY=FROM..TO[:log2], as for flopsmith sweep")
        .typeName("AXIS")
        .oneValuePerUse();
    command
        .addOption(
            "--metric", options->metric, "Of a scaling chart and a heat map: " + metricNames())
        .typeName("NAME")
        .showDefault();
    command
        .addOption("--pareto",
                   options->front,
                   "Of a Pareto front: two metrics, along x and y; less is better, +NAME: more is")
        .typeName("NAME,NAME")
        .showDefault();
    addLensOption(command,
                  "--from",
                  options->from,
                  "Of a waterfall: the lens to start from; --lens is where it ends")
        .showDefault();
    options->claims.addTo(command);
    options->hardware.useStore(options->device.storeOptions());
    options->hardware.addTo(command, HardwareOptions::Need::optional);
    command.addOption("--size", options->size, "Of the drawing in CSS pixels")
        .typeName("WxH")
        .showDefault();
    command.addOption("--theme", options->theme, "light or dark")
        .oneOf({"light", "dark"})
        .typeName("NAME")
        .showDefault();
    options->device.addSeveralTo(command);
    options->device.addConditionsTo(command);
    options->curves.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return chart(*options); }; });
    command.footer(
        "A runtime or mislead chart measures; a share or claims chart does if --device names one, "
        "a\n"
        "scaling chart with --measured. Several --device stand side by side in a runtime chart,\n"
        "or several models, which one device measures: --with tiny.\n"
        "A claims chart has no MODEL; --d, --d-ff and --tokens are its own.\n"
        "A roofline chart is that of --hardware; with --device it has measured parts below that\n"
        "machine's own roofs. A memory chart shows where the --hardware is full.\n"
        "A compare chart has the models of --with beside the first: chart gpt2 --with llama-3-8b.\n"
        "Examples:\n"
        "  flopsmith chart gpt2 --kind scaling --axis seq=128..8192:log2 -o s.svg\n"
        "  flopsmith chart gpt2 --kind heat --axis d_model=192..6144:log2 --axis "
        "'seq=128..32768:log2' -o h.svg\n"
        "  flopsmith chart gpt2 --kind pareto --axis d_model=192..6144:log2 --axis "
        "layers=2..48:log2 "
        "-o p.svg");
}

} // namespace flopsmith::app
