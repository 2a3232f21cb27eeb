// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sweep/sweep_run.h"

#include "app/terminal/csv_stream.h"
#include "app/terminal/progress_line.h"
#include "core/io/table/table_text.h"
#include "core/protocol/process/interrupt.h"

namespace flopsmith::app {
namespace {

// A table in memory; more points are written while they are computed, as CSV.
constexpr std::size_t kMaxRows = 200'000;

Error tooManyRows(std::size_t points)
{
    return {std::to_string(points) + " points are more than a table of " + std::to_string(kMaxRows)
            + " rows; --format csv without --pareto and --fit writes them while it computes"};
}

// Shows the progress of a sweep, at most a few times a second.
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

// Until it ends or a signal comes.
Result<SweepEnd> sweepUntilInterrupted(SweepRun& run,
                                       const std::function<void(const SweepPoint&)>& visit)
{
    const Interrupt interrupt;
    SweepProgress progress(run.plan.points());
    const Result<SweepEnd> end = sweep(
        run.plan,
        [&](const SweepPoint& point) {
            visit(point);
            run.see(point);
            progress.advance();
        },
        interrupt.token(),
        run.workers);
    run.signal = interrupt.signal();
    return end;
}

Outcome streamed(SweepRun& run, const std::string& target)
{
    // Computes one point first, so that errors of the plan appear before anything is written.
    if (const Result<Scenario> first = scenarioAt(run.plan, {}); !first) {
        return Outcome::badInput(first.error());
    }
    Result<CsvStream> stream = CsvStream::create(target);
    if (!stream) {
        return Outcome::badInput(stream.error());
    }
    stream->write(csvHeader(sweepColumns(run.plan)));
    const Result<SweepEnd> end = sweepUntilInterrupted(
        run, [&](const SweepPoint& point) { stream->write(csvRow(sweepRow(run.plan, point))); });
    if (!end) {
        return Outcome::badInput(end.error());
    }
    if (*end == SweepEnd::stopped) {
        return Outcome::success({}); // and no file
    }
    const Status finished = stream->finish();
    return finished ? Outcome::success({}) : Outcome::badInput(finished.error());
}

Outcome tabled(SweepRun& run, const OutputOptions& output)
{
    if (run.plan.points() > kMaxRows) {
        return Outcome::badInput(tooManyRows(run.plan.points()));
    }
    std::vector<SweepPoint> points;
    const Result<SweepEnd> end =
        sweepUntilInterrupted(run, [&points](const SweepPoint& point) { points.push_back(point); });
    if (!end) {
        return Outcome::badInput(end.error());
    }
    Outcome outcome = output.of(sweepTable(run.plan, points, run.objectives));
    if (run.fit) {
        outcome.notes = fitSentences(run.plan, points);
    }
    return outcome;
}

} // namespace

void SweepRun::see(const SweepPoint& point)
{
    if (!point.meetsTies && untied++ == 0) {
        firstUntied = point.at;
    }
}

std::string SweepRun::tieNote() const
{
    if (untied == 0) {
        return {};
    }
    std::string place;
    for (std::size_t axis = 0; axis < firstUntied.size(); ++axis) {
        place += (place.empty() ? "" : ", ") + plan.axes.at(axis).key + "="
            + valueText(firstUntied[axis]);
    }
    return "a tie is not met at " + std::to_string(untied) + " of " + std::to_string(plan.points())
        + " points, first at " + place + ": " + tieNoteAt(plan, firstUntied);
}

Outcome sweepOutcome(SweepRun& run, const OutputOptions& output)
{
    return output.isCsv() && !run.needsAllPoints() ? streamed(run, output.target())
                                                   : tabled(run, output);
}

} // namespace flopsmith::app
