// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/options/hardware_options.h"
#include "app/options/options.h"
#include "core/base/printable.h"
#include "core/io/reports/sweep_report.h"
#include "core/share/open_model.h"
#include "core/study/search/search.h"

namespace flopsmith::app {
namespace {

struct FindOptions
{
    ModelOptions model;
    HardwareOptions hardware;
    OutputOptions output;
    std::string largest;
    std::string smallest;
    std::string nearest;
    std::vector<std::string> bounds;
    std::vector<std::string> ties;
    std::string match;
};

// "flops=291.6G", or "flops=gpt2": as much as that model has with the same workload.
Status readTarget(const std::string& text,
                  const Asked& asked,
                  DoubtfulSize doubtful,
                  SearchPlan& plan)
{
    const std::size_t equals = text.find('=');
    const auto id = metricNamed(text.substr(0, equals));
    if (equals == std::string::npos || !id) {
        return Error{"--match \"" + excerpt(text)
                     + "\": expected METRIC=NUMBER or METRIC=MODEL; metrics are " + metricNames()};
    }
    plan.metric = *id;
    const std::string right = text.substr(equals + 1);
    if (const Result<double> number = parsedQuantity(right, *id)) {
        plan.target = *number;
        return Done{};
    }
    FLOPSMITH_TRY(const Loaded other, openedModel(right, Illegal::refuse, doubtful));
    const Scenario scenario{other.project.scenario.model, asked.scenario.workload};
    FLOPSMITH_RETURN_IF_ERROR(computable(*id, plan.basis()));
    FLOPSMITH_TRY(const auto values,
                  metricValues({&*id, 1}, costTree(scenario, plan.pairs), scenario, plan.basis()));
    plan.target = toDouble(values.front());
    return Done{};
}

Result<SearchPlan> planOf(const FindOptions& options,
                          const Asked& asked,
                          const std::optional<MetricHardware>& on)
{
    SearchPlan plan{.base = asked.scenario, .lens = asked.lens, .pairs = asked.pairs, .on = on};
    const int goals = (options.largest.empty() ? 0 : 1) + (options.smallest.empty() ? 0 : 1)
        + (options.nearest.empty() ? 0 : 1);
    if (goals != 1) {
        return Error{"ask for one of --largest KEY, --smallest KEY and --value KEY"};
    }
    plan.key = options.largest + options.smallest + options.nearest;
    plan.goal = !options.largest.empty() ? SearchPlan::Goal::largest
        : !options.smallest.empty()      ? SearchPlan::Goal::smallest
                                         : SearchPlan::Goal::nearest;
    for (const std::string& text : options.bounds) {
        FLOPSMITH_TRY(const Bound bound, parsedBound(text));
        plan.bounds.push_back(bound);
    }
    FLOPSMITH_TRY(std::vector<Tie> ties, parsedTies(options.ties));
    plan.ties = std::move(ties);
    if (plan.goal == SearchPlan::Goal::nearest) {
        FLOPSMITH_RETURN_IF_ERROR(readTarget(options.match, asked, options.model.doubtful(), plan));
    } else if (plan.bounds.empty()) {
        return Error{"--largest and --smallest need a bound, as in --bound 'params<=100M'"};
    }
    return plan;
}

std::vector<Cell> rowOf(const SearchedPoint& point,
                        const std::vector<MetricId>& metrics,
                        const char* what)
{
    std::vector<Cell> row{Cell::text(what), Cell::of(point.value)};
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        row.push_back(point.metrics.empty() ? Cell{} : metricCell(metrics[i], point.metrics[i]));
    }
    row.push_back(Cell::text(point.problem));
    return row;
}

Table tableOf(const SearchPlan& plan, const SearchResult& result)
{
    Table table;
    table.caption = "value of " + plan.key
        + ", searched over its legal values: " + provenance(plan.base, plan.lens, plan.pairs)
        + (plan.on ? "; on " + plan.on->hardware.name : "");
    table.columns = {{"what", "", Align::left}, {plan.key, plan.key}};
    for (const MetricId id : result.metrics) {
        table.columns.push_back({std::string(metric(id).name), std::string(metric(id).title)});
    }
    table.columns.push_back({"problem", "problem", Align::left});
    table.rows.push_back(rowOf(result.found, result.metrics, "found"));
    if (result.next) {
        table.rows.push_back(rowOf(*result.next, result.metrics, "next"));
    }
    return table;
}

// A transposed table with a line per number, for people; files get a row of ten columns.
Table uprightTable(const SearchPlan& plan, const SearchResult& result)
{
    const Table wide = tableOf(plan, result);
    Table table{.caption = wide.caption, .columns = {{"what", "", Align::left}}};
    for (const auto& row : wide.rows) {
        table.columns.push_back({row.front().shown, row.front().shown});
    }
    for (std::size_t column = 1; column + 1 < wide.columns.size(); ++column) {
        std::vector<Cell> line{Cell::text(wide.columns[column].title)};
        for (const auto& row : wide.rows) {
            line.push_back(row[column]);
        }
        table.rows.push_back(line);
    }
    return table;
}

Outcome run(const FindOptions& options)
{
    const Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    std::vector<std::string> notes = asked->notes;
    const auto hardware = options.hardware.metricHardware(notes);
    if (const auto* failed = std::get_if<Outcome>(&hardware)) {
        return *failed;
    }
    const Result<SearchPlan> plan =
        planOf(options, *asked, std::get<std::optional<MetricHardware>>(hardware));
    if (!plan) {
        return Outcome::badInput(plan.error());
    }
    const Result<SearchResult> result = search(*plan);
    if (!result) {
        return Outcome::badInput(result.error());
    }
    const bool upright = options.output.isForPeople();
    Outcome outcome =
        options.output.of(upright ? uprightTable(*plan, *result) : tableOf(*plan, *result));
    outcome.notes = std::move(notes);
    if (!result->tieNote.empty()) {
        outcome.notes.push_back(result->tieNote);
    }
    if (upright && result->next && !result->next->problem.empty()) {
        outcome.notes.push_back("at " + valueText(result->next->value) + ": "
                                + result->next->problem);
    }
    return outcome;
}

} // namespace

void addFind(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<FindOptions>();
    const ArgumentParser command = program.addCommand(
        "find", "Which value of a parameter meets a budget, or matches another model");
    options->model.addTo(command);
    options->model.addLensTo(command);
    command.addOption("--largest", options->largest, "Largest legal value within the bounds")
        .typeName("KEY");
    command.addOption("--smallest", options->smallest, "Smallest legal value within the bounds")
        .typeName("KEY");
    command.addOption("--value", options->nearest, "Legal value that comes nearest to --match")
        .typeName("KEY");
    command
        .addOption("--bound",
                   options->bounds,
                   "METRIC<=NUMBER or METRIC>=NUMBER, in quotes: 'params<=100M', "
                   "'weight_bytes<=2GiB'")
        .typeName("BOUND")
        .oneValuePerUse();
    command
        .addOption("--match",
                   options->match,
                   "METRIC=NUMBER or METRIC=MODEL: 'flops=300G', 'flops=gpt2'; metrics: "
                       + metricNames(metrics(MetricNeeds::nothing))
                       + "; with --hardware: " + metricNames(metrics(MetricNeeds::hardware)))
        .typeName("TARGET");
    command
        .addOption("--tie",
                   options->ties,
                   "A parameter that follows another: d_ff=4*d_model, heads=d_model/64")
        .typeName("TIE")
        .oneValuePerUse();
    options->hardware.addMetricsTo(command);
    options->output.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return run(*options); }; });
    command.footer("Example: flopsmith find gpt2 --largest d_model --tie d_ff=4*d_model "
                   "--bound 'params<=100M' --bound 'weight_bytes<=2GiB'");
}

} // namespace flopsmith::app
