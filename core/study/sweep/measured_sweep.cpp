// SPDX-License-Identifier: MIT
#include "core/study/sweep/measured_sweep.h"

#include "core/study/sweep/pass_time.h"

#include <algorithm>

namespace flopsmith {
namespace {

// The time at which the oldest of its parts was measured, if all of them came from the store.
std::optional<std::int64_t> storedAt(const PooledResult& result)
{
    std::optional<std::int64_t> oldest;
    for (const std::optional<std::int64_t>& part : result.storedAt) {
        if (!part) {
            return std::nullopt;
        }
        oldest = oldest ? std::min(*oldest, *part) : *part;
    }
    return oldest;
}

// Passes the computed points of a plan to the visitor, in order, as they are measured.
class Filler
{
public:
    Filler(const SweepPlan& plan,
           const Variation& variation,
           std::vector<SweepPoint> points,
           const std::function<void(const SweepPoint&)>& visit)
        : m_plan(plan)
        , m_variation(variation)
        , m_points(std::move(points))
        , m_visit(visit)
    {
        for (std::size_t i = 0; i < m_points.size(); ++i) {
            if (m_points[i].possible()) {
                m_jobs.push_back(i);
            }
        }
    }

    std::size_t jobs() const { return m_jobs.size(); }

    std::vector<MeasuredPart> parts(std::size_t job) const
    {
        return partsOfPass(m_variation.at(m_points[m_jobs[job]].at));
    }

    void take(const PooledResult& result)
    {
        SweepPoint& point = m_points[m_jobs[result.job]];
        point.device = result.device;
        point.storedAt = storedAt(result);
        if (const Result<PassTime> time = passTime(result.plan, result.parts)) {
            fill(point, *time);
        } else {
            point.problem = time.error().message;
        }
        visitUpTo(m_jobs[result.job] + 1);
    }

    // Visits the points that were not measured, with `why` as their problem.
    void giveUpRest(const std::string& why)
    {
        for (std::size_t i = m_visited; i < m_points.size(); ++i) {
            if (m_points[i].possible() && m_points[i].device.empty()) {
                m_points[i].problem = why;
            }
        }
        visitUpTo(m_points.size());
    }

    // Visits the impossible points after the last measured one.
    void visitRest() { visitUpTo(m_points.size()); }

private:
    void fill(SweepPoint& point, const PassTime& time) const
    {
        const Scenario scenario = m_variation.at(point.at);
        const double tokens = static_cast<double>(scenario.workload.batch) * scenario.queryTokens();
        for (std::size_t i = 0; i < m_plan.metrics.size(); ++i) {
            switch (m_plan.metrics[i]) {
            case MetricId::time: point.values[i] = time.seconds; break;
            case MetricId::timeMad: point.values[i] = time.madSeconds; break;
            case MetricId::tokensPerSecond: point.values[i] = tokens / time.seconds; break;
            case MetricId::flopsPerSecond: point.values[i] = time.flopsPerSecond(); break;
            default: break;
            }
        }
    }

    void visitUpTo(std::size_t end)
    {
        for (; m_visited < end; ++m_visited) {
            SweepPoint& point = m_points[m_visited];
            const bool done = !point.device.empty() || !point.possible();
            if (done) {
                m_visit(point);
            }
        }
    }

    const SweepPlan& m_plan;
    const Variation& m_variation;
    std::vector<SweepPoint> m_points;
    std::vector<std::size_t> m_jobs; // index of the point that each job measures
    std::size_t m_visited = 0;
    const std::function<void(const SweepPoint&)>& m_visit;
};

std::vector<std::string> keysOf(const std::vector<Axis>& axes)
{
    std::vector<std::string> keys;
    for (const Axis& axis : axes) {
        keys.push_back(axis.key);
    }
    return keys;
}

PoolObserver observerOf(Filler& filler,
                        std::span<const Device> devices,
                        const std::function<void(const MeasuredSweepProgress&)>& progress)
{
    PoolObserver observer;
    observer.result = [&filler](const PooledResult& result) { filler.take(result); };
    if (progress) {
        observer.progress = [&filler, &progress, devices](std::size_t done, const auto& working) {
            MeasuredSweepProgress report{.done = done, .of = filler.jobs()};
            for (std::size_t i = 0; i < devices.size(); ++i) {
                if (working[i]) {
                    report.working.push_back(devices[i].name);
                }
            }
            progress(report);
        };
    }
    return observer;
}

} // namespace

Result<PoolEnd> measuredSweep(const SweepPlan& plan,
                              std::span<const Device> devices,
                              const MeasuringOptions& each,
                              const std::function<void(const SweepPoint&)>& visit,
                              const std::stop_token& stop,
                              const std::function<void(const MeasuredSweepProgress&)>& progress,
                              const PoolMemory& memory)
{
    if (plan.points() > kMaxMeasuredPoints) {
        return Error{std::to_string(plan.points()) + " points are more than the "
                     + std::to_string(kMaxMeasuredPoints) + " that are measured at once"};
    }
    FLOPSMITH_TRY(std::vector<SweepPoint> points, sweepPoints(plan));
    FLOPSMITH_TRY(const Variation variation,
                  Variation::create(plan.base, keysOf(plan.axes), plan.ties));
    Filler filler(plan, variation, std::move(points), visit);
    const PoolEnd end = measureOnDevices(
        devices,
        filler.jobs(),
        [&filler](std::size_t job) { return filler.parts(job); },
        each,
        stop,
        observerOf(filler, devices, progress),
        memory);
    if (end.allDevicesLost) {
        filler.giveUpRest("not measured: no device is left");
    } else if (!end.stopped) {
        filler.visitRest();
    }
    return end;
}

} // namespace flopsmith
