// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/sweep.h"

#include "app/commands/commands.h"
#include "app/csv_stream.h"
#include "app/options.h"
#include "app/progress_line.h"
#include "core/base/text.h"
#include "core/io/table_text.h"
#include "core/protocol/interrupt.h"
#include "core/study/axis_text.h"
#include "core/study/field_number.h"
#include "core/study/fit.h"
#include "core/study/pareto.h"

#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdio>
#include <thread>

namespace flopsmith::app {
namespace {

// A table in memory; more points are written while they are computed, as CSV.
constexpr std::size_t kMostRows = 200'000;

struct SweepOptions
{
    ModelOptions model;
    OutputOptions output;
    std::vector<std::string> axes;
    std::vector<std::string> metrics{"flops", "params"};
    std::vector<std::string> ties;
    std::vector<std::string> front;
    bool fit = false;
    int threads = 0;

    int workers() const
    {
        return threads > 0 ? threads : static_cast<int>(std::thread::hardware_concurrency());
    }
    bool needsAllPoints() const { return fit || !front.empty(); }
};

// A quantity of the front: "flops" is better small, "+intensity" large.
struct Objective
{
    std::size_t column = 0; // of the plan's metrics
    Better better = Better::smaller;
};

Error tooManyRows(std::size_t points)
{
    return {std::to_string(points) + " points are more than a table of " + std::to_string(kMostRows)
            + " rows; --format csv without --pareto and --fit writes them while it computes"};
}

Result<MetricId> metricOf(const std::string& option, const std::string& name)
{
    const auto id = metricNamed(name);
    return id ? Result<MetricId>(*id)
              : Error{option + " " + name + ": no such metric; known are " + metricNames()};
}

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
        const Result<MetricId> id = metricOf("--metric", name);
        if (!id) {
            return id.error();
        }
        plan.metrics.push_back(*id);
    }
    for (const std::string& text : options.ties) {
        const Result<Tie> tie = parsedTie(text);
        if (!tie) {
            return tie.error();
        }
        plan.ties.push_back(*tie);
    }
    return plan;
}

// The quantities of --pareto; those that are no column yet become one.
Result<std::vector<Objective>> objectives(const SweepOptions& options, SweepPlan& plan)
{
    std::vector<Objective> all;
    for (std::string name : options.front) {
        Objective objective;
        if (name.front() == '+') {
            objective.better = Better::larger;
            name.erase(0, 1);
        }
        const Result<MetricId> id = metricOf("--pareto", name);
        if (!id) {
            return id.error();
        }
        const auto column = std::find(plan.metrics.begin(), plan.metrics.end(), *id);
        objective.column = static_cast<std::size_t>(column - plan.metrics.begin());
        if (column == plan.metrics.end()) {
            plan.metrics.push_back(*id);
        }
        all.push_back(objective);
    }
    if (all.size() == 1) {
        return Error{"--pareto: a front needs two metrics, as in --pareto flops,params"};
    }
    return all;
}

std::vector<Column> columnsOf(const SweepPlan& plan)
{
    std::vector<Column> columns;
    for (const Axis& axis : plan.axes) {
        columns.push_back({axis.key, axis.key});
    }
    for (const MetricId id : plan.metrics) {
        const Metric& shown = metric(id);
        columns.push_back({std::string(shown.name), std::string(shown.title)});
    }
    columns.push_back({"problem", "problem", Align::left});
    return columns;
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

// Shows how far a sweep is, a few times a second at most.
class SweepProgress
{
public:
    explicit SweepProgress(std::size_t points)
        : m_points(points)
    {}

    void advance()
    {
        constexpr std::size_t kEvery = 16'384;
        if (++m_done % kEvery == 0) {
            m_line.show(std::to_string(m_done) + " of " + std::to_string(m_points) + " points");
        }
    }

private:
    ProgressLine m_line;
    std::size_t m_points;
    std::size_t m_done = 0;
};

// Runs the sweep until it ends or a signal comes.
Result<SweepEnd> sweepUntilInterrupted(const SweepPlan& plan,
                                       int workers,
                                       int& signal,
                                       const std::function<void(const SweepPoint&)>& visit)
{
    const Interrupt interrupt;
    SweepProgress progress(plan.points());
    const Result<SweepEnd> end = sweep(
        plan,
        [&](const SweepPoint& point) {
            visit(point);
            progress.advance();
        },
        interrupt.token(),
        workers);
    signal = interrupt.signal();
    return end;
}

Outcome streamed(const SweepOptions& options, const SweepPlan& plan, int& signal)
{
    // Whatever is wrong with the plan shows at its first point, before anything is written.
    if (const Result<Scenario> first = scenarioAt(plan, {}); !first) {
        return Outcome::badInput(first.error());
    }
    Result<CsvStream> stream = CsvStream::create(options.output.target());
    if (!stream) {
        return Outcome::badInput(stream.error());
    }
    stream->write(csvHeader(columnsOf(plan)));
    const Result<SweepEnd> end =
        sweepUntilInterrupted(plan, options.workers(), signal, [&](const SweepPoint& point) {
            stream->write(csvRow(rowOf(plan, point)));
        });
    if (!end) {
        return Outcome::badInput(end.error());
    }
    if (*end == SweepEnd::stopped) {
        return Outcome::success({}); // and no file
    }
    const Status finished = stream->finish();
    return finished ? Outcome::success({}) : Outcome::badInput(finished.error());
}

void markFront(Table& table,
               const std::vector<SweepPoint>& points,
               const std::vector<Objective>& objectives)
{
    std::vector<std::vector<double>> quantities;
    std::vector<Better> directions;
    for (const Objective& objective : objectives) {
        directions.push_back(objective.better);
    }
    for (const SweepPoint& point : points) {
        std::vector<double> values;
        for (const Objective& objective : objectives) {
            values.push_back(point.possible() ? toDouble(point.values[objective.column])
                                              : std::numeric_limits<double>::quiet_NaN());
        }
        quantities.push_back(values);
    }
    table.columns.insert(table.columns.end() - 1, {"pareto", "front", Align::left});
    for (auto& row : table.rows) {
        row.insert(row.end() - 1, Cell{.value = false, .shown = ""});
    }
    for (const std::size_t index : paretoFront(quantities, directions)) {
        *(table.rows[index].end() - 2) = Cell{.value = true, .shown = "\xE2\x97\x8F"};
    }
}

// "flops grows as seq^1.023 ± 0.004 (33 points)", a sentence per metric; over the first axis.
std::vector<std::string> fitSentences(const SweepPlan& plan, const std::vector<SweepPoint>& points)
{
    std::vector<std::string> sentences;
    for (std::size_t column = 0; column < plan.metrics.size(); ++column) {
        std::vector<double> x;
        std::vector<double> y;
        for (const SweepPoint& point : points) {
            const auto at = numberOf(point.at.front());
            if (point.possible() && at) {
                x.push_back(*at);
                y.push_back(toDouble(point.values[column]));
            }
        }
        const std::string name(metric(plan.metrics[column]).name);
        const Result<PowerLaw> law = fitPowerLaw(x, y);
        if (!law) {
            sentences.push_back(name + " has no slope: " + law.error().message);
            continue;
        }
        std::array<char, 128> text{};
        std::snprintf(text.data(),
                      text.size(),
                      "%s^%.4f \xC2\xB1 %.4f",
                      plan.axes.front().key.c_str(),
                      law->exponent,
                      law->exponentError.value_or(0));
        sentences.push_back(name + " grows as " + text.data() + " (" + std::to_string(law->points)
                            + " points)");
    }
    return sentences;
}

Outcome tabled(const SweepOptions& options,
               const SweepPlan& plan,
               const std::vector<Objective>& objectives,
               int& signal)
{
    if (plan.points() > kMostRows) {
        return Outcome::badInput(tooManyRows(plan.points()));
    }
    Table table{.caption = provenance(plan.base, plan.lens, plan.pairs),
                .columns = columnsOf(plan)};
    std::vector<SweepPoint> points;
    const Result<SweepEnd> end =
        sweepUntilInterrupted(plan, options.workers(), signal, [&](const SweepPoint& point) {
            table.rows.push_back(rowOf(plan, point));
            points.push_back(point);
        });
    if (!end) {
        return Outcome::badInput(end.error());
    }
    if (!objectives.empty()) {
        markFront(table, points, objectives);
    }
    dropEmptyProblems(table);
    Outcome outcome = options.output.of(table);
    if (options.fit) {
        outcome.notes = fitSentences(plan, points);
    }
    return outcome;
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
    int signal = 0;
    Outcome outcome = options.output.isCsv() && !options.needsAllPoints()
        ? streamed(options, *plan, signal)
        : tabled(options, *plan, *wanted, signal);
    if (signal != 0) {
        std::raise(signal); // everything is tidy; now the program ends as it was told to
    }
    outcome.notes.insert(outcome.notes.begin(), asked->notes.begin(), asked->notes.end());
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
    command
        .add_option("--tie",
                    options->ties,
                    "A parameter that follows another: d_ff=4*d_model, heads=d_model/64")
        ->type_name("TIE")
        ->allow_extra_args(false);
    command.add_option("--metric", options->metrics, "Columns: " + metricNames())
        ->type_name("NAME,\xE2\x80\xA6")
        ->delimiter(',')
        ->allow_extra_args(false);
    command
        .add_option("--pareto",
                    options->front,
                    "Mark the points that no other beats in these metrics; less is better, "
                    "+NAME: more is")
        ->type_name("NAME,\xE2\x80\xA6")
        ->delimiter(',')
        ->allow_extra_args(false);
    command.add_flag(
        "--fit", options->fit, "Say how each metric grows along the first axis, as a power");
    command.add_option("--threads", options->threads, "That compute points; 0: one per core")
        ->check(CLI::Range(0, 1024))
        ->type_name("N")
        ->capture_default_str();
    options->output.addTo(command);
    command.callback([options, &chosen] { chosen = [options] { return run(*options); }; });
    command.footer("Example: flopsmith sweep gpt2 --axis seq=128..8192:log2 --fit --format csv");
}

} // namespace flopsmith::app
