// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/command/chart_request.h"

#include "app/options/compared_models.h"
#include "core/study/variation/axis_text.h"

namespace flopsmith::app {
namespace {

// Values of one axis may be legal only together with those of another.
Status readAxes(const ChartOptions& options, const Scenario& scenario, ui::FigureRequest& request)
{
    const AxisValues allowed = options.axes.size() > 1 ? AxisValues::any : AxisValues::legal;
    for (const std::string& text : options.axes) {
        FLOPSMITH_TRY(const Axis axis, parsedAxis(text, scenario, allowed));
        request.axes.push_back(axis);
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
    FLOPSMITH_TRY(const std::vector<Axis> axes, axesOf(options, request));
    for (const Axis& axis : axes) {
        if (const Status free = variable(rules, asked.scenario, axis.key); !free) {
            return Error{"axis " + axis.key + ": the project has the tie " + free.error().message};
        }
    }
    request.ties = keyedTies(asked.scenario, rules);
    return Done{};
}

} // namespace

Result<ui::FigureRequest> chartRequest(const ChartOptions& options, const Asked& asked)
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
    FLOPSMITH_RETURN_IF_ERROR(readAxes(options, asked.scenario, request));
    FLOPSMITH_RETURN_IF_ERROR(addTies(options, asked, request));
    return request;
}

Status addOtherModels(const ChartOptions& options,
                      ui::FigureRequest& request,
                      std::vector<std::string>& notes)
{
    if (options.others.empty()) {
        return Done{};
    }
    FLOPSMITH_TRY(ComparedModels models, comparedModels(options.model, options.models()));
    request.name = models.designs.front().name;
    request.others.assign(models.designs.begin() + 1, models.designs.end());
    notes = std::move(models.notes);
    if (!options.chartKind().drawsOthers) {
        notes.push_back("chart --kind " + options.kind + " shows " + request.name + " alone");
    }
    return Done{};
}

} // namespace flopsmith::app
