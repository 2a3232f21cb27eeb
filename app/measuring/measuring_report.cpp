// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/measuring/measuring_run.h"
#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/present/time/run_time.h"
#include "core/protocol/measuring/settling.h"
#include "core/protocol/wire/wire_names.h"

// The results of a measuring run as table and headline; measuring_json.cpp has the rest.
namespace flopsmith::app {
namespace {

// Headline and total, as the window words them.
RunTimeTable wordedTimes(const MeasuringRun& run)
{
    return runTimeTable(run.plan, partTimes(run), run.conditions(), run.roofs());
}

std::string rateText(double flopsPerSecond)
{
    return flopsPerSecond > 0 ? siText(flopsPerSecond) + "FLOP/s" : std::string{};
}

Cell rateCell(double flopsPerSecond)
{
    Cell cell = Cell::number(flopsPerSecond);
    cell.shown = rateText(flopsPerSecond);
    return cell;
}

std::string usesText(const MeasuredPart& part)
{
    return part.uses > 1 ? "\xC3\x97" + std::to_string(part.uses) : "";
}

Cell settledCell(const Measured& measured)
{
    const bool settled = isSettled(measured);
    return {.value = settled, .shown = settled ? "" : "did not settle"};
}

// "24.1 ms compute", "310 µs L2": the bound, and the roof or memory level that sets it.
Cell boundCell(const RoofBound& bound, int uses)
{
    if (bound.binding == Binding::unknown) {
        return {};
    }
    Cell cell = Cell::seconds(bound.seconds * uses);
    cell.shown += bound.binding == Binding::compute ? " compute" : " " + bound.level;
    return cell;
}

// "0.17 ppm", or per cent where that is shorter.
std::string errorText(double relative)
{
    return relative < 1e-3 ? siText(relative * 1e6) + " ppm" : percentText(relative);
}

std::vector<Cell> measuredCells(const MeasuredPart& part,
                                const Measured& m,
                                const RoofBound& bound,
                                std::optional<double> total)
{
    Cell error = Cell::number(m.check.relativeError);
    error.shown = errorText(m.check.relativeError);
    const double seconds = m.medianSeconds * part.uses;
    return {Cell::seconds(m.medianSeconds),
            Cell::seconds(m.madSeconds),
            Cell::count(static_cast<Count>(m.samples)),
            Cell::seconds(seconds),
            total && *total > 0.0 ? Cell::share(seconds / *total) : Cell{},
            boundCell(bound, part.uses),
            rateCell(m.flopsPerSecond),
            error,
            settledCell(m)};
}

std::vector<Cell> rowOf(const MeasuringRun& run, std::size_t i)
{
    const MeasuredPart& part = run.plan[i];
    const PartResult& result = run.outcome.parts.at(i);
    std::vector<Cell> row{Cell::text(part.path), Cell::count(part.uses)};
    row[0].indent = part.addsToTotal() ? 0 : 1;
    row[1].shown = usesText(part);
    if (result.measured) {
        for (Cell& cell :
             measuredCells(part,
                           *result.measured,
                           standingBound(run.boundOf(part), result.measured->medianSeconds),
                           run.totalSeconds())) {
            row.push_back(std::move(cell));
        }
    } else {
        row.resize(10);
        row.push_back(Cell::text(result.sentence));
    }
    return row;
}

std::vector<Cell> totalRow(double seconds, const MeasuringRun& run)
{
    std::vector<Cell> row(11);
    row[0] = Cell::text("total");
    row[5] = Cell::seconds(seconds);
    row[5].shown = wordedTimes(run).total.timeText;
    return row;
}

std::string ratioToSum(const MeasuringRun& run)
{
    const std::optional<double> ratio = run.wholeToSum();
    return ratio ? ratioText(*ratio) + " the sum of its parts" : "";
}

// Its share is the sum of its parts'.
std::vector<Cell> wholeRow(const WholePass& whole, const MeasuringRun& run)
{
    std::vector<Cell> row{Cell::text("whole pass"), Cell{}};
    if (!whole.result.measured) {
        row.resize(10);
        row.push_back(Cell::text(whole.result.sentence));
        return row;
    }
    for (Cell& cell :
         measuredCells(MeasuredPart{}, *whole.result.measured, {}, run.totalSeconds())) {
        row.push_back(std::move(cell));
    }
    if (const std::optional<double> ratio = run.wholeToSum()) {
        row[6] = Cell::number(*ratio);
        row[6].shown = ratioText(*ratio);
    }
    return row;
}

// "24.1 ms, 1.02 × the sum of its parts"
std::string wholeText(const WholePass& whole, const MeasuringRun& run)
{
    if (!whole.result.measured) {
        return "not measured in one pass: " + whole.result.sentence;
    }
    const std::string ratio = ratioToSum(run);
    return durationText(whole.result.measured->medianSeconds) + " in one pass"
        + (ratio.empty() ? "" : ", " + ratio);
}

// "≈ 5.23 s, the sum of the parts' medians; repeated measurements gave 4.10 s to 6.50 s"
std::string totalText(const MeasuringRun& run)
{
    const RunTimeTable times = wordedTimes(run);
    const RunTimeRow& total = times.total;
    if (!times.isTotalKnown()) {
        const std::string soFar =
            total.seconds > 0.0 ? ", which take " + total.timeText + " together" : "";
        return "unknown: " + times.headline() + soFar;
    }
    return total.timeText + ", the sum of the parts' medians"
        + (total.rangeText.empty() ? "" : "; repeated measurements gave " + total.rangeText);
}

// One line per part with nominal FFTs: the operations that FFTW executes.
std::string transformsText(const MeasuringRun& run)
{
    std::string text;
    for (std::size_t i = 0; i < run.plan.size(); ++i) {
        const auto& measured = run.outcome.parts.at(i).measured;
        if (measured && measured->planned && run.plan[i].addsToTotal()) {
            text += "\n  fft     " + run.plan[i].path + ": nominally "
                + siText(toDouble(measured->counted.fft)) + " operations, FFTW's plan executes "
                + siText(measured->planned->operations());
        }
    }
    return text;
}

// A note on times below the lower bound, which invalidate it.
std::string beatenText(const MeasuringRun& run)
{
    return wordedTimes(run).beatsPeaks()
        ? "; a time beats them: they were measured beside other programs (flopsmith peaks "
          "measures them again)"
        : "";
}

// The peaks behind the column "at least".
std::string peaksText(const MeasuringRun& run)
{
    const auto roofs = run.roofs();
    if (!roofs) {
        return "";
    }
    const Peaks peaks = roofs->peaks(run.conditions().format);
    if (!peaks.known()) {
        return "\n  peaks   not measured in " + precisionName(run.options.precision);
    }
    const bool caches = run.options.cache == CacheState::hot && !roofs->caches().empty();
    return "\n  peaks   " + rateText(peaks.flopsPerSecond) + ", " + siText(peaks.bytesPerSecond)
        + "B/s of the memory"
        + (caches ? "; \"at least\" counts the bandwidth of the level that holds a part's operands"
                  : "")
        + beatenText(run);
}

// Index of the part with the largest positive `amount`, or the number of parts if there is none.
template <class Amount>
std::size_t partOfMax(const MeasuringRun& run, const Amount& amount)
{
    std::size_t part = run.outcome.parts.size();
    double max = 0.0;
    for (std::size_t i = 0; i < run.outcome.parts.size(); ++i) {
        const auto& measured = run.outcome.parts[i].measured;
        if (measured && amount(*measured) > max) {
            max = amount(*measured);
            part = i;
        }
    }
    return part;
}

// The share of time that other programs took from a measurement that did not settle.
double disturbance(const Measured& measured)
{
    return measured.settled || unsettledSentence(measured).empty() ? 0.0 : lostShare(measured);
}

// The spread of repeated measurements that each settled, but on different times.
double disagreement(const Measured& measured)
{
    return measured.settled && !isSettled(measured) ? repeatsOf(measured)->spread() : 0.0;
}

// Why parts did not settle.
std::string noiseText(const MeasuringRun& run)
{
    std::string text;
    const std::size_t parts = run.outcome.parts.size();
    if (const std::size_t part = partOfMax(run, disturbance); part < parts) {
        text += "\n  noise   " + unsettledSentence(*run.outcome.parts[part].measured);
    }
    if (const std::size_t part = partOfMax(run, disagreement); part < parts) {
        text += "\n  noise   " + run.plan[part].path + ": "
            + unsettledSentence(*run.outcome.parts[part].measured);
    }
    return text;
}

} // namespace

std::string precisionName(ComputePrecision precision)
{
    return std::string(wire::kPrecisions.at(static_cast<std::size_t>(precision)));
}

std::string cacheName(CacheState cache)
{
    return std::string(wire::kCacheStates.at(static_cast<std::size_t>(cache)));
}

std::string conditionsText(const MeasuringOptions& options)
{
    return precisionName(options.precision)
        + (options.cache == CacheState::cold ? ", cold caches" : "");
}

std::string unusualConditions(const MeasuringOptions& options)
{
    const MeasuringOptions usual;
    return options.precision == usual.precision && options.cache == usual.cache
        ? ""
        : conditionsText(options);
}

Table measuringTable(const MeasuringRun& run)
{
    Table table{.caption = printable(run.scenario.model.name) + " on " + run.deviceName,
                .columns = {{"path", "part", Align::left},
                            {"uses", "uses"},
                            {"median_seconds", "median"},
                            {"mad_seconds", "MAD"},
                            {"samples", "samples"},
                            {"all_uses_seconds", "all uses"},
                            {"share", "share"},
                            {"lower_bound_seconds", "at least"},
                            {"flops_per_second", "rate"},
                            {"relative_error", "error"},
                            {"settled", "", Align::left}}};
    for (std::size_t i = 0; i < run.plan.size(); ++i) {
        table.rows.push_back(rowOf(run, i));
    }
    if (const auto total = run.totalSeconds()) {
        table.rows.push_back(totalRow(*total, run));
    }
    if (run.whole) {
        table.rows.push_back(wholeRow(*run.whole, run));
    }
    return withStoredColumn(std::move(table), run);
}

std::string measuringHeadline(const MeasuringRun& run)
{
    const Workload& w = run.scenario.workload;
    std::string text = printable(run.scenario.model.name) + ": " + std::string(enumName(w.phase))
        + ", batch " + std::to_string(w.batch) + ", " + std::to_string(run.scenario.queryTokens())
        + (run.scenario.queryTokens() == 1 ? " token" : " tokens") + ", "
        + conditionsText(run.options)
        + (run.pass() == ComputePass::backward ? ", backward pass" : "");
    if (const auto& described = run.outcome.described) {
        text += "\n  device  " + run.deviceName + " (" + described->device + ")";
    }
    text += peaksText(run);
    text += transformsText(run);
    text += noiseText(run);
    text += "\n  total   " + totalText(run);
    return text + (run.whole ? "\n  whole   " + wholeText(*run.whole, run) : "");
}

} // namespace flopsmith::app
