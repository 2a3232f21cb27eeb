// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/chart_drawing.h"
#include "app/commands/commands.h"
#include "app/device_options.h"
#include "app/options.h"
#include "core/study/axis_text.h"

namespace flopsmith::app {
namespace {

struct ChartOptions
{
    ModelOptions model;
    DeviceOptions device;
    std::string kind;
    std::string target;
    std::string axis;
    std::string metric = "flops";
    std::string size = "720x440";
    std::string theme = "light";

    bool measures() const { return kind == "runtime" || device.isNamed(); }
};

Result<ui::ChartRequest> requestOf(const ChartOptions& options, const Asked& asked)
{
    ui::ChartRequest request{.kind = *ui::chartKindNamed(options.kind),
                             .scenario = asked.scenario,
                             .lens = asked.lens,
                             .times = {},
                             .peaks = {},
                             .axis = {}};
    const auto metric = metricNamed(options.metric);
    if (!metric) {
        return Error{"--metric " + options.metric + ": no such metric; known are " + metricNames()};
    }
    request.metric = *metric;
    if (!options.axis.empty()) {
        const Result<Axis> axis = parsedAxis(options.axis, asked.scenario);
        if (!axis) {
            return axis.error();
        }
        request.axis = *axis;
    }
    return request;
}

// Fills in measured times, or says why there are none.
std::optional<Outcome> measured(const ChartOptions& options, ui::ChartRequest& request)
{
    const Result<Device> device = options.device.device();
    if (!device) {
        return Outcome::failure(ExitCode::deviceUnavailable, device.error().message);
    }
    const MeasuringRun run = measuringRun(
        request.scenario, *device, measuredParts(request.scenario), options.device.budgetSeconds());
    if (run.outcome.unavailable) {
        return Outcome::failure(ExitCode::deviceUnavailable, run.outcome.unavailable->message);
    }
    request.times = partTimes(run);
    request.peaks = peaksOf(run);
    request.device = run.deviceName;
    return std::nullopt;
}

Outcome drawn(const ChartOptions& options, const ui::ChartRequest& request, QSize size)
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

Outcome chart(const ChartOptions& options)
{
    const Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    const Result<QSize> size = parsedSize(options.size);
    if (!size) {
        return Outcome::failure(ExitCode::wrongUsage, size.error().message);
    }
    const auto format = ui::exportFormat(QString::fromStdString(options.target));
    if (!format) {
        return Outcome::badInput(format.error());
    }
    Result<ui::ChartRequest> request = requestOf(options, *asked);
    if (!request) {
        return Outcome::badInput(request.error());
    }
    if (options.measures()) {
        if (const auto failure = measured(options, *request)) {
            return *failure;
        }
    }
    const DrawingApplication application;
    Outcome outcome = drawn(options, *request, *size);
    outcome.notes = asked->notes;
    return outcome;
}

std::vector<std::string> kindNames()
{
    return {ui::chartKindNames().begin(), ui::chartKindNames().end()};
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

void addChart(CLI::App& program, Command& chosen)
{
    auto options = std::make_shared<ChartOptions>();
    CLI::App& command = *program.add_subcommand("chart", "Draws a chart into a file");
    options->model.addTo(command);
    options->model.addLensTo(command);
    command.add_option("--kind", options->kind, kindList())
        ->required()
        ->check(CLI::IsMember(kindNames()))
        ->type_name("NAME");
    command
        .add_option(
            "-o,--output", options->target, "The file; its suffix says svg, pdf, png or csv")
        ->required()
        ->type_name("FILE");
    command.add_option("--axis", options->axis, "Of a scaling chart: KEY=FROM..TO[:log2]")
        ->type_name("AXIS");
    command.add_option("--metric", options->metric, "Of a scaling chart: " + metricNames())
        ->type_name("NAME")
        ->capture_default_str();
    command.add_option("--size", options->size, "Of the drawing in CSS pixels")
        ->type_name("WxH")
        ->capture_default_str();
    command.add_option("--theme", options->theme, "light or dark")
        ->check(CLI::IsMember({"light", "dark"}))
        ->type_name("NAME")
        ->capture_default_str();
    options->device.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return chart(*options); }; });
    command.footer(
        "A runtime chart measures; a share chart does if --device names one.\n"
        "Example: flopsmith chart gpt2 --kind scaling --axis seq=128..8192:log2 -o s.svg");
}

} // namespace flopsmith::app
