// SPDX-License-Identifier: MIT
#include "core/study/sweep/sweep.h"

#include "core/base/threads.h"
#include "core/study/variation/variation.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>

namespace flopsmith {
namespace {

Result<Variation> variationOf(const SweepPlan& plan)
{
    if (plan.axes.empty()) {
        return Error{"a sweep needs an axis"};
    }
    if (plan.combinations() > kMaxSweepPoints) {
        return Error{"the axes have more than " + std::to_string(kMaxSweepPoints)
                     + " combinations; take fewer values"};
    }
    const MetricBasis basis = plan.basis();
    for (const MetricId id : plan.metrics) {
        const Status has = computable(id, basis);
        if (!has && metric(id).needs != MetricNeeds::measuring) {
            return has.error();
        }
    }
    std::vector<std::string> keys;
    for (const Axis& axis : plan.axes) {
        keys.push_back(axis.key);
    }
    return Variation::create(plan.base, keys, plan.ties);
}

// The combination of the share's point with this index; the last axis varies fastest.
std::vector<FieldValue> valuesAt(std::size_t point, const SweepPlan& plan)
{
    const std::vector<Axis>& axes = plan.axes;
    std::size_t number = plan.share.indexOf(point);
    std::vector<FieldValue> values(axes.size());
    for (std::size_t axis = axes.size(); axis-- > 0;) {
        const std::vector<FieldValue>& all = axes[axis].values;
        values[axis] = all[number % all.size()];
        number /= all.size();
    }
    return values;
}

SweepPoint pointAt(const SweepPlan& plan,
                   const MetricBasis& basis,
                   const Variation& variation,
                   std::vector<FieldValue> values)
{
    SweepPoint point{.at = std::move(values)};
    const Scenario scenario =
        plan.repairs ? variation.repairedAt(point.at) : variation.at(point.at);
    point.problem = variation.problem(scenario);
    if (point.possible()) {
        point.meetsTies = variation.meetsTies(scenario);
        Result<std::vector<MetricValue>> metrics =
            metricValues(plan.metrics, costTree(scenario, plan.pairs), scenario, basis);
        if (metrics) {
            point.values = std::move(*metrics);
        } else {
            point.problem = metrics.error().message;
        }
    }
    return point;
}

SweepEnd sweepHere(const SweepPlan& plan,
                   const Variation& variation,
                   const std::function<void(const SweepPoint&)>& visit,
                   const std::stop_token& stop)
{
    const MetricBasis basis = plan.basis();
    for (std::size_t number = 0; number < plan.points(); ++number) {
        if (stop.stop_requested()) {
            return SweepEnd::stopped;
        }
        visit(pointAt(plan, basis, variation, valuesAt(number, plan)));
    }
    return SweepEnd::complete;
}

// Workers fill chunks of points in any order, the visitor consumes them in order. At most
// kMaxPendingChunks are in memory.
class ChunkedSweep
{
public:
    ChunkedSweep(const SweepPlan& plan, const Variation& variation)
        : m_plan(plan)
        , m_basis(plan.basis())
        , m_variation(variation)
        , m_points(plan.points())
        , m_chunks((m_points + kChunk - 1) / kChunk)
        , m_slots(std::min(m_chunks, kMaxPendingChunks))
    {}

    // Nothing if the system cannot start a thread.
    std::optional<SweepEnd> run(const std::function<void(const SweepPoint&)>& visit,
                                const std::stop_token& stop,
                                int workers)
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < workers && startThread(threads, [this] { compute(); }); ++i) {}
        if (threads.empty()) {
            return std::nullopt;
        }
        const SweepEnd end = visitAll(visit, stop);
        {
            const std::lock_guard lock(m_mutex); // otherwise a worker could miss the notification
            m_ended = true;
        }
        m_slotFreed.notify_all();
        return end; // the threads join
    }

private:
    static constexpr std::size_t kChunk = 256;
    static constexpr std::size_t kMaxPendingChunks = 64;

    using Chunk = std::vector<SweepPoint>;

    Chunk chunk(std::size_t number) const
    {
        Chunk points;
        const std::size_t end = std::min((number + 1) * kChunk, m_points);
        for (std::size_t i = number * kChunk; i < end; ++i) {
            points.push_back(pointAt(m_plan, m_basis, m_variation, valuesAt(i, m_plan)));
        }
        return points;
    }

    void compute()
    {
        while (true) {
            std::size_t number = 0;
            {
                std::unique_lock lock(m_mutex);
                m_slotFreed.wait(lock, [&] {
                    return m_ended || m_next == m_chunks || m_next < m_visited + m_slots.size();
                });
                if (m_ended || m_next == m_chunks) {
                    return;
                }
                number = m_next++;
            }
            Chunk points = chunk(number);
            {
                const std::lock_guard lock(m_mutex);
                m_slots[number % m_slots.size()] = std::move(points);
            }
            m_filled.notify_one();
        }
    }

    SweepEnd visitAll(const std::function<void(const SweepPoint&)>& visit,
                      const std::stop_token& stop)
    {
        for (std::size_t number = 0; number < m_chunks; ++number) {
            Chunk points = taken(number);
            for (const SweepPoint& point : points) {
                if (stop.stop_requested()) {
                    return SweepEnd::stopped;
                }
                visit(point);
            }
        }
        return SweepEnd::complete;
    }

    Chunk taken(std::size_t number)
    {
        std::unique_lock lock(m_mutex);
        Chunk& slot = m_slots[number % m_slots.size()];
        m_filled.wait(lock, [&] { return !slot.empty(); });
        Chunk points;
        points.swap(slot);
        m_visited = number + 1;
        lock.unlock();
        m_slotFreed.notify_all();
        return points;
    }

    const SweepPlan& m_plan;
    MetricBasis m_basis;
    const Variation& m_variation;
    std::size_t m_points;
    std::size_t m_chunks;
    std::vector<Chunk> m_slots; // of the chunks m_visited … m_visited + size − 1
    std::mutex m_mutex;
    std::condition_variable m_slotFreed;
    std::condition_variable m_filled;
    std::size_t m_next = 0; // first chunk that no worker has taken
    std::size_t m_visited = 0; // chunks that the visitor has consumed
    bool m_ended = false; // the visitor needs no more points
};

} // namespace

bool SweepPlan::isMeasured() const
{
    return std::any_of(metrics.begin(), metrics.end(), [](MetricId id) {
        return metric(id).needs == MetricNeeds::measuring;
    });
}

std::size_t SweepPlan::combinations() const
{
    std::size_t product = axes.empty() ? 0 : 1;
    for (const Axis& axis : axes) {
        product = std::min(product * axis.values.size(), kMaxSweepPoints + 1);
    }
    return product;
}

std::size_t SweepPlan::points() const
{
    return share.countOf(combinations());
}

Result<SweepEnd> sweep(const SweepPlan& plan,
                       const std::function<void(const SweepPoint&)>& visit,
                       const std::stop_token& stop,
                       int workers)
{
    FLOPSMITH_TRY(const Variation variation, variationOf(plan));
    if (workers > 1 && plan.points() > 0) {
        if (const auto end = ChunkedSweep(plan, variation).run(visit, stop, workers)) {
            return *end;
        }
    }
    return sweepHere(plan, variation, visit, stop);
}

Result<Scenario> scenarioAt(const SweepPlan& plan, const std::vector<FieldValue>& at)
{
    FLOPSMITH_TRY(const Variation variation, variationOf(plan));
    return variation.at(at);
}

std::string tieNoteAt(const SweepPlan& plan, const std::vector<FieldValue>& at)
{
    const Result<Variation> variation = variationOf(plan);
    return variation ? variation->tieNote(variation->at(at)) : std::string{};
}

Result<std::vector<SweepPoint>> sweepPoints(const SweepPlan& plan)
{
    std::vector<SweepPoint> points;
    const Result<SweepEnd> end =
        sweep(plan, [&points](const SweepPoint& point) { points.push_back(point); });
    if (!end) {
        return end.error();
    }
    return points;
}

} // namespace flopsmith
