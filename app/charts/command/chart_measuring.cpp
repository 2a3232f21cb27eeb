// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/command/chart_measuring.h"

#include "app/charts/run_request.h"
#include "app/measuring/measuring_runs.h"
#include "core/study/machine/measured_roofs.h"

namespace flopsmith::app {
namespace {

// Every part of a scenario, measured by one device; the outcome of a failure if it does not answer.
std::variant<MeasuringRun, Outcome> measuredScenario(const ChartOptions& options,
                                                     const Device& device,
                                                     const Scenario& scenario)
{
    MeasuringRun run = measuringRun(scenario,
                                    device,
                                    measuredParts(scenario),
                                    options.device.measuring(),
                                    options.device.store());
    if (run.outcome.unavailable) {
        return Outcome::failure(ExitCode::deviceUnavailable, run.outcome.unavailable->message);
    }
    return run;
}

// Adds the same device's measurements of the other models, if the chart draws them.
std::optional<Outcome> measuredOthers(const ChartOptions& options,
                                      const Device& device,
                                      ui::FigureRequest& request,
                                      std::vector<std::string>& notes)
{
    if (!options.needs().times || !options.chartKind().drawsOthers) {
        return std::nullopt;
    }
    for (const ComparedDesign& other : request.others) {
        const auto measured = measuredScenario(options, device, other.scenario);
        if (const auto* failed = std::get_if<Outcome>(&measured)) {
            return *failed;
        }
        const auto& run = std::get<MeasuringRun>(measured);
        for (const std::string& note : run.notes()) {
            notes.push_back(other.name + ": " + note);
        }
        addOtherRun(request, run);
    }
    return std::nullopt;
}

// Fills in the curves of a scaling chart.
std::optional<Outcome> measuredCurves(const ChartOptions& options,
                                      const Device& device,
                                      ui::FigureRequest& request)
{
    const Result<Axis> axis = ui::scalingAxis(request);
    if (!axis) {
        return Outcome::badInput(axis.error());
    }
    auto curves = options.curves.measured(usualVariants(request.scenario, request.ties),
                                          *axis,
                                          device,
                                          options.device.measuring(),
                                          options.device.store());
    if (const auto* failed = std::get_if<Outcome>(&curves)) {
        return *failed;
    }
    auto& [times, run] = std::get<CurvesRun>(curves);
    request.curves = std::move(times);
    addRun(request, run);
    request.device = device.name;
    request.measuredAs =
        roofConditions(options.device.measuring().precision, options.device.measuring().cache);
    return std::nullopt;
}

// Fills in the times of the parts of all models.
std::optional<Outcome> measuredTimes(const ChartOptions& options,
                                     const Device& device,
                                     ui::FigureRequest& request,
                                     std::vector<std::string>& notes)
{
    const auto measured = measuredScenario(options, device, request.scenario);
    if (const auto* failed = std::get_if<Outcome>(&measured)) {
        return *failed;
    }
    const auto& run = std::get<MeasuringRun>(measured);
    for (std::string& note : run.notes()) {
        notes.push_back(std::move(note));
    }
    addRun(request, run);
    return measuredOthers(options, device, request, notes);
}

// Fills in the times of one device.
std::optional<Outcome> measuredHere(const ChartOptions& options,
                                    ui::FigureRequest& request,
                                    std::vector<std::string>& notes)
{
    const Result<Device> device = options.device.device();
    if (!device) {
        return noDevice(device.error());
    }
    return options.needs().axis ? measuredCurves(options, *device, request)
                                : measuredTimes(options, *device, request, notes);
}

// Adds the measurements of several devices, or says why there are none.
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

} // namespace

std::optional<Outcome> addMeasurements(const ChartOptions& options,
                                       ui::FigureRequest& request,
                                       std::vector<std::string>& notes)
{
    return options.device.areSeveral() ? measuredSideBySide(options, request, notes)
                                       : measuredHere(options, request, notes);
}

std::optional<Outcome> addChartHardware(const ChartOptions& options,
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

} // namespace flopsmith::app
