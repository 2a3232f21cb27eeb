// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/chart_drawing.h"
#include "app/charts/command/chart_commands.h"
#include "app/charts/command/chart_measuring.h"
#include "app/charts/command/chart_options.h"
#include "app/charts/command/chart_request.h"
#include "app/charts/run_request.h"
#include "app/measuring/claims_run.h"

namespace flopsmith::app {
namespace {

constexpr const char* kChartFooter =
    "A runtime or mislead chart measures; a share or claims chart does if --device names one, a\n"
    "scaling chart with --measured. Several --device stand side by side in a runtime chart,\n"
    "or several models, which one device measures: --with tiny.\n"
    "A claims chart has no MODEL; --d, --d-ff and --tokens are its own.\n"
    "A roofline chart is that of --hardware; with --device it has measured parts below that\n"
    "machine's own roofs. A memory chart shows where the --hardware is full.\n"
    "A compare chart has the models of --with beside the first: chart gpt2 --with llama-3-8b.\n"
    "Examples:\n"
    "  flopsmith chart gpt2 --kind scaling --axis seq=128..8192:log2 -o s.svg\n"
    "  flopsmith chart gpt2 --kind heat --axis d_model=192..6144:log2 "
    "--axis 'seq=128..32768:log2' -o h.svg\n"
    "  flopsmith chart gpt2 --kind pareto --axis d_model=192..6144:log2 "
    "--axis layers=2..48:log2 -o p.svg";

Outcome drawn(const ChartOptions& options, const ui::FigureRequest& request)
{
    const auto figure = ui::figureFor(request);
    if (!figure) {
        return Outcome::badInput(figure.error());
    }
    const Status written = options.drawing.write(**figure);
    return written ? Outcome::wrote(options.drawing.target) : Outcome::badInput(written.error());
}

Outcome modelChart(const ChartOptions& options)
{
    const Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    Result<ui::FigureRequest> request = chartRequest(options, *asked);
    if (!request) {
        return Outcome::badInput(request.error());
    }
    std::vector<std::string> notes = asked->notes;
    if (const Status done = addOtherModels(options, *request, notes); !done) {
        return Outcome::badInput(done.error());
    }
    if (options.measures()) {
        if (const auto failure = addMeasurements(options, *request, notes)) {
            return *failure;
        }
    }
    if (const auto failure = addChartHardware(options, *request, notes)) {
        return *failure;
    }
    const DrawingApplication application;
    Outcome outcome = drawn(options, *request);
    outcome.notes = std::move(notes);
    return outcome;
}

// The claims, counted, and measured if a device is named. They need no model.
Outcome claimsChart(const ChartOptions& options)
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
    Outcome outcome = drawn(options, request);
    outcome.notes = std::move(notes);
    return outcome;
}

Outcome chart(const ChartOptions& options)
{
    if (const Status fit = fits(options); !fit) {
        return Outcome::failure(ExitCode::wrongUsage, fit.error().message);
    }
    const auto drawing = options.drawing.exportOptions();
    if (!drawing) {
        return Outcome::badInput(drawing.error());
    }
    return options.needs().model ? modelChart(options) : claimsChart(options);
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

// Options for charts that vary or compare; each applies to some kinds.
void addStudyOptions(const ArgumentParser& command, ChartOptions& options)
{
    command
        .addOption("--axis",
                   options.axes,
                   "Of a scaling chart, twice of a heat map, of a Pareto front as often as there "
                   "are parameters to combine: KEY=FROM..TO[:log2], as for flopsmith sweep")
        .typeName("AXIS")
        .oneValuePerUse();
    command
        .addOption(
            "--metric", options.metric, "Of a scaling chart and a heat map: " + metricNames())
        .typeName("NAME")
        .showDefault();
    command
        .addOption("--pareto",
                   options.front,
                   "Of a Pareto front: two metrics, along x and y; less is better, +NAME: more is")
        .typeName("NAME,NAME")
        .showDefault();
    addLensOption(command,
                  "--from",
                  options.from,
                  "Of a waterfall: the lens to start from; --lens is where it ends")
        .showDefault();
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
    options->drawing.addTo(command);
    command
        .addOption("--with",
                   options->others,
                   "Another model beside this one, under the same options; up to three times")
        .typeName("MODEL")
        .oneValuePerUse();
    addStudyOptions(command, *options);
    options->claims.addTo(command);
    options->hardware.useStore(options->device.storeOptions());
    options->hardware.addTo(command, HardwareOptions::Need::optional);
    options->device.addSeveralTo(command);
    options->device.addConditionsTo(command);
    options->curves.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return chart(*options); }; });
    command.footer(kChartFooter);
}

} // namespace flopsmith::app
