// SPDX-License-Identifier: MIT
#include "core/protocol/measuring/device_pool.h"

#include "core/base/threads.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace flopsmith {
namespace {

constexpr int kMaxFailures = 3; // jobs in a row, before a device is given up

// Assigns jobs to devices. Its functions are called by the devices' threads and by the collecting
// thread.
class Schedule
{
public:
    /// `homes` gives the device that each job is reserved for, if any.
    Schedule(std::size_t devices, const std::vector<std::optional<std::size_t>>& homes)
        : m_jobs(homes.size())
        , m_homeJobs(devices)
        , m_alive(devices, true)
        , m_working(devices)
    {
        for (std::size_t job = 0; job < homes.size(); ++job) {
            std::set<std::size_t>& jobs = homes[job] ? m_homeJobs[*homes[job]] : m_free;
            jobs.insert(jobs.end(), job);
        }
    }

    // The next job for a device; nothing once there is none and none can come back.
    std::optional<std::size_t> take(std::size_t device)
    {
        std::unique_lock lock(m_mutex);
        std::optional<std::size_t> job;
        m_changed.wait(lock, [&] {
            job = m_stopped ? std::nullopt : waitingFor(device);
            return job || m_stopped || m_finished == m_jobs;
        });
        if (job) {
            m_working[device] = job;
            if (const auto again = m_again.find(*job); again != m_again.end()) {
                again->second.waiting = false;
            }
            m_homeJobs[device].erase(*job);
            m_free.erase(*job);
            changed();
        }
        return job;
    }

    void finish(std::size_t device, PooledResult result)
    {
        const std::lock_guard lock(m_mutex);
        m_working[device].reset();
        finishJob(std::move(result));
        changed();
    }

    // The device could not do the job: another one tries. `result` is its outcome.
    void putBack(std::size_t device, PooledResult result)
    {
        const std::lock_guard lock(m_mutex);
        m_working[device].reset();
        Again& again = m_again[result.job];
        again.waiting = true;
        again.triedBy.insert(device);
        again.last = std::move(result);
        finishHopeless();
        changed();
    }

    // The device is lost; its present job goes back to the others.
    void lose(std::size_t device, std::optional<std::size_t> job, std::string sentence)
    {
        const std::lock_guard lock(m_mutex);
        m_working[device].reset();
        m_alive[device] = false;
        m_free.merge(m_homeJobs[device]);
        m_lostDevices.push_back(std::move(sentence));
        if (job) {
            m_again[*job].waiting = true;
        }
        finishHopeless();
        changed();
    }

    // The device was stopped before the job was done.
    void release(std::size_t device)
    {
        const std::lock_guard lock(m_mutex);
        m_working[device].reset();
        changed();
    }

    void stop()
    {
        const std::lock_guard lock(m_mutex);
        m_stopped = true;
        changed();
    }

    // Hands out results and progress until no device works any more.
    PoolEnd collect(const PoolObserver& observer)
    {
        std::unique_lock lock(m_mutex);
        std::size_t next = 0;
        std::size_t seen = 0;
        while (true) {
            m_changed.wait(lock, [&] { return m_changes != seen || isOver(); });
            seen = m_changes;
            next = report(lock, observer, next, isOver());
            if (m_changes == seen && isOver()) {
                return {.stopped = m_stopped,
                        .lostDevices = m_lostDevices,
                        .allDevicesLost = !m_stopped && m_finished < m_jobs};
            }
        }
    }

private:
    struct Again
    {
        bool waiting = true;
        std::set<std::size_t> triedBy{};
        std::optional<PooledResult> last{};
    };

    void changed()
    {
        ++m_changes;
        m_changed.notify_all();
    }

    std::optional<std::size_t> waitingFor(std::size_t device) const
    {
        for (const auto& [job, again] : m_again) {
            if (again.waiting && again.triedBy.count(device) == 0) {
                return job;
            }
        }
        const std::set<std::size_t>& untaken =
            m_homeJobs[device].empty() ? m_free : m_homeJobs[device];
        return untaken.empty() ? std::nullopt : std::optional(*untaken.begin());
    }

    void finishJob(PooledResult result)
    {
        m_results.emplace(result.job, std::move(result));
        ++m_finished;
    }

    // Ends jobs that every device that is left has tried.
    void finishHopeless()
    {
        for (auto each = m_again.begin(); each != m_again.end();) {
            Again& again = each->second;
            bool hopeless = again.waiting && again.last.has_value() && anyAlive();
            for (std::size_t device = 0; device < m_alive.size(); ++device) {
                hopeless = hopeless && (!m_alive[device] || again.triedBy.count(device) > 0);
            }
            if (hopeless) {
                finishJob(std::move(*again.last));
                each = m_again.erase(each);
            } else {
                ++each;
            }
        }
    }

    bool anyAlive() const
    {
        return std::find(m_alive.begin(), m_alive.end(), true) != m_alive.end();
    }

    bool isOver() const
    {
        const bool busy = std::any_of(
            m_working.begin(), m_working.end(), [](const auto& job) { return job.has_value(); });
        return !busy && (m_stopped || m_finished == m_jobs || !anyAlive());
    }

    // Reports results from job `next` on, up to the first gap, or all of them at the end. The
    // observer runs without the lock.
    std::size_t report(std::unique_lock<std::mutex>& lock,
                       const PoolObserver& observer,
                       std::size_t next,
                       bool all)
    {
        std::vector<PooledResult> ready;
        while (!m_results.empty() && (all || m_results.begin()->first == next)) {
            ready.push_back(std::move(m_results.begin()->second));
            m_results.erase(m_results.begin());
            next = ready.back().job + 1;
        }
        const std::size_t done = m_finished;
        const std::vector<std::optional<std::size_t>> working = m_working;
        lock.unlock();
        for (const PooledResult& result : ready) {
            if (observer.result) {
                observer.result(result);
            }
        }
        if (observer.progress) {
            observer.progress(done, working);
        }
        lock.lock();
        return next;
    }

    std::size_t m_jobs;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::size_t m_changes = 0;
    std::set<std::size_t> m_free; // jobs that no device has taken
    std::vector<std::set<std::size_t>> m_homeJobs; // the same, reserved for one device each
    std::map<std::size_t, Again> m_again; // taken and put back at least once
    std::map<std::size_t, PooledResult> m_results; // finished and not reported
    std::size_t m_finished = 0;
    std::vector<bool> m_alive;
    std::vector<std::optional<std::size_t>> m_working;
    std::vector<std::string> m_lostDevices;
    bool m_stopped = false;
};

// One device of the pool, on a thread of its own.
class Hand
{
public:
    Hand(Schedule& schedule,
         std::size_t index,
         const Device& device,
         const MeasuringOptions& options,
         const PoolMemory& memory,
         const std::stop_token& stop)
        : m_schedule(schedule)
        , m_index(index)
        , m_session(device)
        , m_options(options)
        , m_memory(memory)
        , m_stop(stop)
    {}

    void work(const std::function<std::vector<MeasuredPart>(std::size_t)>& planOf)
    {
        int failures = 0;
        while (const std::optional<std::size_t> job = m_schedule.take(m_index)) {
            PooledResult result{
                .job = *job, .device = m_session.device().name, .plan = planOf(*job)};
            const MeasuringOutcome outcome = measured(result);
            if (m_stop.stop_requested() && outcome.cancelled) {
                m_schedule.release(m_index);
                return;
            }
            failures = m_failure.empty() ? 0 : failures + 1;
            const bool hopeless = outcome.silent || failures == kMaxFailures;
            const std::string gone = outcome.unavailable ? outcome.unavailable->message
                : hopeless                               ? m_failure
                : failures > 0                           ? whyGone()
                                                         : std::string();
            if (!gone.empty()) {
                m_schedule.lose(m_index, *job, gone);
                return;
            }
            if (failures > 0) {
                m_schedule.putBack(m_index, std::move(result));
            } else {
                m_schedule.finish(m_index, std::move(result));
            }
        }
    }

private:
    // Ends a job at the first part that fails the device: the remaining parts would fail too, each
    // after a long wait.
    MeasuringOutcome measured(PooledResult& result)
    {
        std::stop_source enough;
        const std::stop_callback link(m_stop, [&enough] { enough.request_stop(); });
        m_failure.clear();
        MeasuringObserver observer;
        observer.part = [&](int, const PartResult& part) {
            if (part.stage == PartStage::failed && part.workerFailed) {
                m_failure = part.sentence;
                enough.request_stop();
            }
        };
        PooledParts parts = partsOf(result.plan, enough.get_token(), observer);
        result.parts = parts.outcome.parts;
        result.storedAt = std::move(parts.storedAt);
        return std::move(parts.outcome);
    }

    PooledParts partsOf(std::span<const MeasuredPart> plan,
                        const std::stop_token& stop,
                        const MeasuringObserver& observer)
    {
        if (m_memory.measure) {
            return m_memory.measure(m_session, plan, m_options, stop, m_known, observer);
        }
        return {.outcome = measureParts(m_session, plan, m_options, stop, m_known, observer)};
    }

    // Whether a device whose program failed still describes itself: empty if it does, otherwise why
    // not.
    std::string whyGone()
    {
        m_known.described.reset();
        const MeasuringOutcome outcome =
            measureParts(m_session, {}, m_options, m_stop, m_known, {});
        return outcome.unavailable ? outcome.unavailable->message : std::string();
    }

    Schedule& m_schedule;
    std::size_t m_index;
    DeviceSession m_session;
    const MeasuringOptions& m_options;
    const PoolMemory& m_memory;
    const std::stop_token& m_stop;
    KnownResults m_known;
    std::string m_failure; // of the last job; empty: none
};

// For whom each job is kept. With a single device there is no choice.
std::vector<std::optional<std::size_t>> homesOf(
    std::size_t jobs,
    std::size_t devices,
    const std::function<std::vector<MeasuredPart>(std::size_t)>& planOf,
    const PoolMemory& memory,
    const std::stop_token& stop)
{
    std::vector<std::optional<std::size_t>> homes(jobs);
    if (memory.home && devices > 1) {
        for (std::size_t job = 0; job < jobs && !stop.stop_requested(); ++job) {
            homes[job] = memory.home(planOf(job));
        }
    }
    return homes;
}

} // namespace

PoolEnd measureOnDevices(std::span<const Device> devices,
                         std::size_t jobs,
                         const std::function<std::vector<MeasuredPart>(std::size_t)>& planOf,
                         const MeasuringOptions& options,
                         const std::stop_token& stop,
                         const PoolObserver& observer,
                         const PoolMemory& memory)
{
    Schedule schedule(devices.size(), homesOf(jobs, devices.size(), planOf, memory, stop));
    const std::stop_callback stopping(stop, [&schedule] { schedule.stop(); });
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const Status started = startThread(
            threads, [&, i] { Hand(schedule, i, devices[i], options, memory, stop).work(planOf); });
        if (!started) {
            schedule.lose(i,
                          std::nullopt,
                          "The device \"" + devices[i].name
                              + "\" was not asked: " + started.error().message + ".");
        }
    }
    return schedule.collect(observer); // the threads join
}

} // namespace flopsmith
