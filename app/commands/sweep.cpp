// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/sweep.h"

#include "app/commands/commands.h"
#include "app/options.h"
#include "core/base/text.h"
#include "core/study/axis_text.h"

namespace flopsmith::app {
namespace {

struct SweepOptions
{
    ModelOptions model;
    OutputOptions output;
    std::vector<std::string> axes;
    std::vector<std::string> metrics{"flops", "params"};
};

Result<SweepPlan> planOf(const SweepOptions& options, const Asked& asked)
{
    SweepPlan plan{.base = asked.scenario, .lens = asked.lens, .pairs = asked.pairs};
    for (const std::string& text : options.axes) {
        const Result<Axis> axis = parsedAxis(text, asked.scenario);
        if (!axis) {
            return axis.error();
        }
        plan.axes.push_back(*axis);
    }
    for (const std::string& name : options.metrics) {
        const auto id = metricNamed(name);
        if (!id) {
            return Error{"--metric " + name + ": no such metric; known are " + metricNames()};
        }
        plan.metrics.push_back(*id);
    }
    return plan;
}

Table emptyTable(const SweepPlan& plan)
{
    Table table;
    for (const Axis& axis : plan.axes) {
        table.columns.push_back({axis.key, axis.key});
    }
    for (const MetricId id : plan.metrics) {
        const Metric& shown = metric(id);
        table.columns.push_back({std::string(shown.name), std::string(shown.title)});
    }
    table.columns.push_back({"problem", "problem", Align::left});
    return table;
}

Cell metricCell(const MetricValue& value)
{
    const auto* count = std::get_if<Count>(&value);
    if (count != nullptr) {
        return Cell::count(*count);
    }
    Cell cell = Cell::number(std::get<double>(value));
    cell.shown = siText(std::get<double>(value));
    return cell;
}

std::vector<Cell> rowOf(const SweepPlan& plan, const SweepPoint& point)
{
    std::vector<Cell> row;
    for (const FieldValue& value : point.at) {
        row.push_back(Cell::of(value));
    }
    for (const MetricValue& value : point.values) {
        row.push_back(metricCell(value));
    }
    row.resize(plan.axes.size() + plan.metrics.size()); // an impossible point has no values
    row.push_back(point.possible() ? Cell{} : Cell::text(point.problem));
    return row;
}

// A column that is empty in every row says nothing.
void dropEmptyProblems(Table& table)
{
    for (const auto& row : table.rows) {
        if (!row.back().shown.empty()) {
            return;
        }
    }
    table.columns.pop_back();
    for (auto& row : table.rows) {
        row.pop_back();
    }
}

Outcome run(const SweepOptions& options)
{
    const Result<Asked> asked = options.model.asked();
    if (!asked) {
        return Outcome::badInput(asked.error());
    }
    const Result<SweepPlan> plan = planOf(options, *asked);
    if (!plan) {
        return Outcome::badInput(plan.error());
    }
    Table table = emptyTable(*plan);
    const Result<SweepEnd> end =
        sweep(*plan, [&](const SweepPoint& point) { table.rows.push_back(rowOf(*plan, point)); });
    if (!end) {
        return Outcome::badInput(end.error());
    }
    dropEmptyProblems(table);
    Outcome outcome = options.output.of(table);
    outcome.notes = asked->notes;
    return outcome;
}

} // namespace

void addSweep(CLI::App& program, Command& chosen)
{
    auto options = std::make_shared<SweepOptions>();
    CLI::App& command =
        *program.add_subcommand("sweep", "How cost changes along one or several parameters");
    options->model.addTo(command);
    options->model.addLensTo(command);
    command
        .add_option("--axis",
                    options->axes,
                    "KEY=FROM..TO, with :log2 (doubling), :step N or :COUNT behind it, or "
                    "KEY=A,B,C; several axes give all combinations")
        ->type_name("AXIS")
        ->required()
        ->allow_extra_args(false);
    command.add_option("--metric", options->metrics, "Columns: " + metricNames())
        ->type_name("NAME,\xE2\x80\xA6")
        ->delimiter(',')
        ->allow_extra_args(false);
    options->output.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return run(*options); }; });
    command.footer("Example: flopsmith sweep gpt2 --axis seq=128..8192:log2 --format csv");
}

} // namespace flopsmith::app
