// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"
#include "app/options.h"
#include "core/base/text.h"
#include "core/io/reading.h"
#include "core/study/search.h"

namespace flopsmith::app {
namespace {

struct FindOptions
{
    ModelOptions model;
    OutputOptions output;
    std::string largest;
    std::string smallest;
    std::string nearest;
    std::vector<std::string> bounds;
    std::vector<std::string> ties;
    std::string match;
};

// "flops=291.6G", or "flops=gpt2": as much as that model has with the same workload.
Status readTarget(const std::string& text, const Asked& asked, SearchPlan& plan)
{
    const std::size_t equals = text.find('=');
    const auto id = metricNamed(text.substr(0, equals));
    if (equals == std::string::npos || !id) {
        return Error{"--match \"" + text
                     + "\": expected METRIC=NUMBER or METRIC=MODEL; metrics are " + metricNames()};
    }
    plan.metric = *id;
    const std::string right = text.substr(equals + 1);
    if (const Result<double> number = parsedQuantity(right)) {
        plan.target = *number;
        return Done{};
    }
    const Result<Loaded> other = loadModel(right);
    if (!other) {
        return other.error();
    }
    const Scenario scenario{other->project.scenario.model, asked.scenario.workload};
    plan.target = toDouble(
        metricValue(*id, figures(costTree(scenario, plan.pairs), scenario, plan.lens), scenario));
    return Done{};
}

Result<SearchPlan> planOf(const FindOptions& options, const Asked& asked)
{
    SearchPlan plan{.base = asked.scenario, .lens = asked.lens, .pairs = asked.pairs};
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
        const Result<Bound> bound = parsedBound(text);
        if (!bound) {
            return bound.error();
        }
        plan.bounds.push_back(*bound);
    }
    for (const std::string& text : options.ties) {
        const Result<Tie> tie = parsedTie(text);
        if (!tie) {
            return tie.error();
        }
        plan.ties.push_back(*tie);
    }
    if (plan.goal == SearchPlan::Goal::nearest) {
        if (const Status target = readTarget(options.match, asked, plan); !target) {
            return target.error();
        }
    } else if (plan.bounds.empty()) {
        return Error{"--largest and --smallest need a bound, as in --bound 'params<=100M'"};
    }
    return plan;
}

std::vector<Cell> rowOf(const SearchedPoint& point, const char* what)
{
    std::vector<Cell> row{Cell::text(what), Cell::of(point.value)};
    for (std::size_t i = 0; i < metrics().size(); ++i) {
        if (point.metrics.empty()) {
            row.emplace_back();
            continue;
        }
        const auto* count = std::get_if<Count>(&point.metrics[i]);
        Cell cell = count != nullptr ? Cell::count(*count)
                                     : Cell::number(std::get<double>(point.metrics[i]));
        const double value = toDouble(point.metrics[i]);
        cell.shown = metrics()[i].unit == "B" ? bytesText(value) : siText(value);
        row.push_back(cell);
    }
    row.push_back(Cell::text(point.problem));
    return row;
}

Table tableOf(const SearchPlan& plan, const SearchResult& result)
{
    Table table;
    table.caption = "value of " + plan.key
        + ", searched over its legal values: " + provenance(plan.base, plan.lens, plan.pairs);
    table.columns = {{"what", "", Align::left}, {plan.key, plan.key}};
    for (const Metric& each : metrics()) {
        table.columns.push_back({std::string(each.name), std::string(each.title)});
    }
    table.columns.push_back({"problem", "problem", Align::left});
    table.rows.push_back(rowOf(result.found, "found"));
    if (result.next) {
        table.rows.push_back(rowOf(*result.next, "next"));
    }
    return table;
}

// Upright, a line per number: a row of ten columns is for files.
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
    const Result<SearchPlan> plan = planOf(options, *asked);
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
    outcome.notes = asked->notes;
    if (upright && result->next && !result->next->problem.empty()) {
        outcome.notes.push_back("at " + valueText(result->next->value) + ": "
                                + result->next->problem);
    }
    return outcome;
}

} // namespace

void addFind(CLI::App& program, Command& chosen)
{
    auto options = std::make_shared<FindOptions>();
    CLI::App& command = *program.add_subcommand(
        "find", "Which value of a parameter meets a budget, or matches another model");
    options->model.addTo(command);
    options->model.addLensTo(command);
    command.add_option("--largest", options->largest, "Largest legal value within the bounds")
        ->type_name("KEY");
    command.add_option("--smallest", options->smallest, "Smallest legal value within the bounds")
        ->type_name("KEY");
    command.add_option("--value", options->nearest, "Legal value that comes nearest to --match")
        ->type_name("KEY");
    command
        .add_option("--bound",
                    options->bounds,
                    "METRIC<=NUMBER or METRIC>=NUMBER, in quotes: 'params<=100M', "
                    "'weight_bytes<=2GiB'")
        ->type_name("BOUND")
        ->allow_extra_args(false);
    command
        .add_option("--match",
                    options->match,
                    "METRIC=NUMBER or METRIC=MODEL: 'flops=300G', 'flops=gpt2'; metrics: "
                        + metricNames())
        ->type_name("TARGET");
    command
        .add_option("--tie",
                    options->ties,
                    "A parameter that follows another: d_ff=4*d_model, heads=d_model/64")
        ->type_name("TIE")
        ->allow_extra_args(false);
    options->output.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return run(*options); }; });
    command.footer("Example: flopsmith find gpt2 --largest d_model --tie d_ff=4*d_model "
                   "--bound 'params<=100M' --bound 'weight_bytes<=2GiB'");
}

} // namespace flopsmith::app
