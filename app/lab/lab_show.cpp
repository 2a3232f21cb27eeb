// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/lab_commands.h"
#include "app/options/options.h"
#include "core/base/printable.h"
#include "core/lab/log/lab_log_file.h"
#include "core/lab/results/lab_results.h"
#include "core/lab/results/verdict.h"

#include <array>
#include <charconv>
#include <cmath>
#include <memory>

namespace flopsmith::app {
namespace {

struct LabShowOptions
{
    std::string log;
    std::string view;
    std::string what; ///< without it results, and in CSV all points
    OutputOptions output;
};

// By default the budget's view, in which all runs end.
LabView viewOf(const LabShowOptions& options, const LabLog& log)
{
    return viewNamed(options.view).value_or(log.plan.ownView());
}

Cell intervalCell(const MeanInterval& interval)
{
    Cell cell = interval.count > 0 ? Cell::number(interval.mean) : Cell{};
    cell.shown = intervalText(interval);
    return cell;
}

Cell widthCell(const MeanInterval& interval)
{
    return interval.count > 1 ? Cell::number(interval.halfWidth) : Cell{};
}

Cell optionalNumber(const std::optional<double>& number)
{
    return number ? Cell::number(*number) : Cell{};
}

// Two digits for people: rates are half powers of ten apart.
Cell rateCell(const std::optional<double>& rate)
{
    Cell cell = optionalNumber(rate);
    if (rate) {
        std::array<char, 32> digits{};
        const auto end = std::to_chars(
            digits.data(), digits.data() + digits.size(), *rate, std::chars_format::general, 2);
        cell.shown = std::string(digits.data(), end.ptr);
    }
    return cell;
}

Cell roleCell(const ArmResult& result)
{
    switch (result.arm.role) {
    case ArmRole::chosen: return Cell::text(result.gaveUp ? "diverged" : "chosen");
    case ArmRole::control: return Cell::text("control");
    case ArmRole::narrowed: return Cell::text("FLOP-matched");
    }
    return {};
}

// Exact formats get the interval as two numbers; people read it in one.
Table resultTable(const LabLog& log, LabView view, bool isExact)
{
    const LabResults results = labResults(log, view);
    Table table{.columns = {{"arm", "arm", Align::left},
                            {"role", "role", Align::left},
                            {"rate", "learning rate"},
                            {"parameters", "parameters"},
                            {"ffn_flops_per_token", "FFN FLOPs/token (training)"},
                            {"seeds", "seeds"},
                            {"score", std::string(scoreName(info(log.plan.task).score))}}};
    if (isExact) {
        table.columns.push_back({"score_half_width", ""});
        table.columns.push_back({"loss", "loss"});
        table.columns.push_back({"diverged", "diverged"});
    }
    for (const ArmResult& result : results.arms) {
        std::vector<Cell> row{Cell::text(result.arm.name),
                              roleCell(result),
                              rateCell(result.rate),
                              result.parameters ? Cell::count(*result.parameters) : Cell{},
                              Cell::count(static_cast<Count>(
                                  ffnFlopsPerToken(result.arm.ffn, log.plan.sizes.dModel))),
                              Cell::count(static_cast<Count>(result.points.size())),
                              intervalCell(result.score())};
        if (isExact) {
            row.push_back(widthCell(result.score()));
            row.push_back(result.points.empty() ? Cell{} : Cell::number(result.loss().mean));
            row.push_back(Cell::count(result.diverged));
        }
        table.rows.push_back(std::move(row));
    }
    table.caption = viewText(log, results);
    return table;
}

Cell realCell(std::optional<double> value)
{
    return value && std::isfinite(*value) ? Cell::number(*value) : Cell{};
}

// The loss of the step before an evaluation, of a run or of a branch that begins after `from`.
std::optional<double> trainLoss(const std::vector<double>& losses,
                                std::int64_t from,
                                std::int64_t step)
{
    const std::int64_t place = step - from - 1;
    return place >= 0 && place < std::ssize(losses)
        ? std::optional(losses[static_cast<std::size_t>(place)])
        : std::nullopt;
}

std::vector<Cell> pointRow(const LabLog& log,
                           const LoggedRun& run,
                           const LoggedPoint& point,
                           std::optional<double> loss,
                           const std::string& branch)
{
    const bool isAccuracy = info(log.plan.task).score == Score::accuracy;
    return {Cell::text(run.key.arm),
            Cell::count(run.key.seed),
            Cell::number(run.key.rate),
            Cell::count(point.step),
            Cell::count(Count(point.step) * tokensPerStep(log.plan.task)),
            Cell::number(point.flops),
            Cell::seconds(secondsUntil(log, run, point)),
            realCell(loss),
            realCell(point.loss),
            isAccuracy ? realCell(point.score) : Cell{},
            realCell(point.score),
            Cell::text(run.key.seed == 0 ? "tuning" : branch)};
}

// Every evaluation of every run: seed 0 are tuning runs; of a branch its own points alone.
Table pointTable(const LabLog& log)
{
    Table table{.columns = {{"arm", "arm", Align::left},
                            {"seed", "seed"},
                            {"lr", "learning rate"},
                            {"step", "step"},
                            {"tokens", "tokens"},
                            {"flops", "FLOPs"},
                            {"seconds", "seconds"},
                            {"train_loss", "training loss"},
                            {"val_loss", "loss"},
                            {"accuracy", "accuracy"},
                            {"score", std::string(scoreName(info(log.plan.task).score))},
                            {"part", "part", Align::left}}};
    for (const LoggedRun& run : log.runs) {
        for (const LoggedPoint& point : run.points) {
            table.rows.push_back(
                pointRow(log, run, point, trainLoss(run.curves.losses, 0, point.step), "run"));
        }
        for (const LoggedBranch& branch : run.branches) {
            for (const LoggedPoint& point : branch.points) {
                const auto loss = trainLoss(branch.curves.losses, branch.from, point.step);
                table.rows.push_back(
                    pointRow(log, run, point, loss, std::string(enumName(branch.view))));
            }
        }
    }
    return table;
}

// The final loss at each rate of the tuning.
Table rateTable(const LabLog& log)
{
    Table table{.columns = {{"arm", "arm", Align::left},
                            {"rate", "learning rate"},
                            {"loss", "loss"},
                            {"end", "end", Align::left}}};
    for (const LoggedRun& run : log.runs) {
        if (run.key.tuning) {
            const bool hasLoss = run.end == RunEnd::finished && !run.points.empty();
            table.rows.push_back({Cell::text(run.key.arm),
                                  Cell::number(run.key.rate),
                                  hasLoss ? Cell::number(run.points.back().loss) : Cell{},
                                  Cell::text(run.end == RunEnd::diverged   ? "diverged"
                                                 : run.end == RunEnd::open ? "unfinished"
                                                                           : "finished")});
        }
    }
    return table;
}

Outcome showLog(const LabShowOptions& options)
{
    const Result<LabLog> log = readLabLog(options.log);
    if (!log) {
        return Outcome::badInput(log.error());
    }
    const bool isOpen = options.what.empty();
    if (options.what == "points" || (isOpen && options.output.isCsv())) {
        return options.output.of(pointTable(*log));
    }
    return options.output.of(
        options.what == "rates"
            ? rateTable(*log)
            : resultTable(*log, viewOf(options, *log), options.output.isExact()));
}

Outcome judgeLog(const LabShowOptions& options)
{
    const Result<LabLog> log = readLabLog(options.log);
    if (!log) {
        return Outcome::badInput(log.error());
    }
    return Outcome::success(printableLines(verdictText(*log, viewOf(options, *log))));
}

void addLogAndView(ArgumentParser command, LabShowOptions& options)
{
    command.addOption("LOG", options.log, "What flopsmith lab run wrote").required();
    command
        .addOption("--view",
                   options.view,
                   "Compare at equal steps, FLOPs or seconds; default: as the budget")
        .oneOf({"steps", "flops", "seconds"});
}

} // namespace

void addLabShow(ArgumentParser lab, Command& chosen)
{
    auto options = std::make_shared<LabShowOptions>();
    const ArgumentParser show = lab.addCommand("show", "What each arm reached");
    addLogAndView(show, *options);
    show.addOption("--what",
                   options->what,
                   "Results, the rates that were tried, or all points; without it results, and as "
                   "CSV all points")
        .oneOf({"results", "rates", "points"});
    options->output.addTo(show);
    show.callback([options, &chosen] { chosen = [options] { return showLog(*options); }; });

    auto judged = std::make_shared<LabShowOptions>();
    const ArgumentParser verdict =
        lab.addCommand("verdict", "What may be said of each arm, in sentences");
    addLogAndView(verdict, *judged);
    verdict.callback([judged, &chosen] { chosen = [judged] { return judgeLog(*judged); }; });
}

} // namespace flopsmith::app
