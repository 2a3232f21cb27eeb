// SPDX-License-Identifier: MIT
#include "core/lab/run/lab_run.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace flopsmith {
namespace {

// The place of a run in the log, or the next free one.
std::size_t numberOf(const LabLog& log, const RunKey& key)
{
    const auto found =
        std::ranges::find_if(log.runs, [&](const LoggedRun& run) { return run.key == key; });
    return static_cast<std::size_t>(found - log.runs.begin());
}

/// Hands out the runs of a lab to the threads that execute them, and writes what they say.
class LabSchedule
{
public:
    LabSchedule(LabLogFile& file, const LabSettings& settings, const std::stop_token& stop)
        : m_file(file)
        , m_settings(settings)
        , m_nextNumber(file.log().runs.size())
        , m_working(settings.executors.size())
        , m_forward(stop, [this] { m_stop.request_stop(); })
    {}

    /// Executes runs until there is none left for this thread, or its executor failed.
    void work(std::size_t executor)
    {
        const RunExecutor& execute = m_settings.executors[executor];
        bool works = true;
        while (const std::optional<RunJob> job = works ? take(executor) : std::nullopt) {
            const RunSink sink{.write = [this](const LogLine& line) { return append(line); },
                               .progress = [&](const RunProgress& at) { report(*job, at); },
                               .note = [&](const std::string& text) { note(*job, text); }};
            works = finish(executor, *job, execute(*job, sink, m_stop.get_token()));
        }
    }

    Result<LabEnd> end() const
    {
        if (m_error) {
            return *m_error;
        }
        return nextRun(m_file.log(), {}, m_settings.share) ? LabEnd::stopped : LabEnd::complete;
    }

private:
    // Waits while all that is missing depends on runs that are under way.
    std::optional<RunJob> take(std::size_t executor)
    {
        std::unique_lock lock(m_mutex);
        for (;;) {
            if (m_stop.stop_requested()) {
                m_changed.notify_all();
                return std::nullopt;
            }
            const bool timesFirst = !m_file.log().plan.branches.empty();
            const std::optional<RunJob> timing = timingJob();
            const bool mayTrain = !m_isTiming && !(timesFirst && timing);
            const auto key =
                mayTrain ? nextRun(m_file.log(), m_running, m_settings.share) : std::nullopt;
            if (key && isFull(*key)) {
                m_error =
                    Error{m_file.path() + ": a log holds at most " + std::to_string(kMaxLoggedRuns)
                          + " runs, and this one is full; begin a new one"};
                m_stop.request_stop();
                continue;
            }
            if (key) {
                m_running.push_back(*key);
                return jobOf(*key);
            }
            if (m_running.empty() && timing && m_timer.value_or(executor) == executor) {
                m_isTiming = true;
                m_timer = executor;
                m_timed = timing->key.arm;
                m_running.push_back(timing->key);
                return timing;
            }
            if (m_running.empty() && !timing) {
                m_changed.notify_all();
                return std::nullopt;
            }
            m_changed.wait(lock);
        }
    }

    bool isFull(const RunKey& key) const
    {
        const LabLog& log = m_file.log();
        return m_nextNumber >= kMaxLoggedRuns && numberOf(log, key) >= log.runs.size();
    }

    // Nothing runs beside it: it begins when no run is under way, and until it ends none begins.
    std::optional<RunJob> timingJob() const
    {
        const LabLog& log = m_file.log();
        const std::optional<std::string> arm = nextTiming(log);
        if (!arm || m_settings.timedSteps < 1 || m_timed == *arm) {
            return std::nullopt;
        }
        return RunJob{.plan = log.plan,
                      .key = {.arm = *arm, .seed = 1, .rate = log.plan.baseRate},
                      .timedSteps = m_settings.timedSteps};
    }

    std::vector<JobBranch> branchesOf(const RunKey& key, const LoggedRun* run) const
    {
        std::vector<JobBranch> branches;
        for (const CoolDown& each : coolDowns(m_file.log(), key.arm)) {
            JobBranch branch{.view = each.view, .steps = each.steps};
            const LoggedBranch* logged = run == nullptr ? nullptr : run->branch(each.view);
            if (logged != nullptr && logged->steps == each.steps) {
                branch.done = logged->end != RunEnd::open;
                branch.logged = logged->curves.count();
            }
            branches.push_back(branch);
        }
        return branches;
    }

    RunJob jobOf(const RunKey& key)
    {
        const LabLog& log = m_file.log();
        RunJob job{.plan = log.plan, .key = key, .saveEvery = m_settings.saveEvery};
        job.number = numberOf(log, key);
        if (job.number < log.runs.size()) {
            job.logged = log.runs[job.number].curves.count();
        } else {
            job.number = m_nextNumber++;
        }
        if (key.seed > 0) {
            job.branches = branchesOf(key, log.run(key));
        }
        job.state = statePath(m_file.path(), job.number);
        job.model = modelPath(m_file.path(), key);
        return job;
    }

    Status append(const LogLine& line)
    {
        const std::lock_guard lock(m_mutex);
        Status written = m_file.append(line);
        m_cannotWrite = m_cannotWrite || !written;
        return written;
    }

    void report(const RunJob& job, const RunProgress& at)
    {
        const std::lock_guard lock(m_mutex);
        if (job.timedSteps > 0) {
            return;
        }
        if (!m_count) {
            m_count = countRuns(m_file.log(), m_settings.share);
        }
        LabProgress progress{
            .run = {.key = job.key, .step = at.step, .steps = at.steps, .loss = at.loss},
            .runs = *m_count};
        m_underWay[keyText(job.key)] = progress.run;
        for (const auto& [text, run] : m_underWay) {
            progress.underWay.push_back(run);
        }
        m_settings.progress(progress);
    }

    void note(const RunJob& job, const std::string& text)
    {
        const std::lock_guard lock(m_mutex);
        m_settings.note("arm " + job.key.arm + ": " + text);
    }

    // Branches depend on timings, so that a lab without them cannot continue.
    void checkTiming(const RunJob& job, const Result<LabEnd>& end)
    {
        const LabLog& log = m_file.log();
        const bool isUntimed =
            job.timedSteps > 0 && !log.timings.contains(job.key.arm) && !m_stop.stop_requested();
        if (end && isUntimed && !log.plan.branches.empty()) {
            m_error =
                Error{"arm " + job.key.arm
                      + ": its program does not time steps, which branches need; install this "
                        "version of Flopsmith there, or leave out --views"};
            m_stop.request_stop();
        }
    }

    // Only once another executor has succeeded: what fails everywhere is one error, the lab's.
    void reportFailures()
    {
        for (const Error& error : m_failures) {
            m_settings.failed(error);
        }
        m_failures.clear();
    }

    // False if the executor failed. All end if it was the last one, or the log cannot be written.
    bool finish(std::size_t executor, const RunJob& job, const Result<LabEnd>& end)
    {
        const std::lock_guard lock(m_mutex);
        std::erase(m_running, job.key);
        m_underWay.erase(keyText(job.key));
        m_count.reset();
        m_isTiming = false;
        checkTiming(job, end);
        if (!end && m_timer == executor) { // another one times what is left
            m_timer.reset();
            m_timed.clear();
        }
        if (!end && (--m_working == 0 || m_cannotWrite)) {
            m_error = m_error ? m_error : end.error();
            m_stop.request_stop();
        } else if (!end && !m_stop.stop_requested()) {
            m_failures.push_back(end.error());
        } else if (end) {
            reportFailures();
        }
        m_changed.notify_all();
        return end.ok();
    }

    LabLogFile& m_file;
    const LabSettings& m_settings;
    std::size_t m_nextNumber;
    std::size_t m_working; ///< executors that have not failed
    bool m_cannotWrite = false;
    std::stop_source m_stop; ///< also after an error
    std::stop_callback<std::function<void()>> m_forward;
    std::mutex m_mutex; ///< of all below, and of the log
    std::condition_variable m_changed;
    std::vector<RunKey> m_running;
    bool m_isTiming = false;
    std::string m_timed; ///< the arm that was timed last
    std::optional<std::size_t> m_timer; ///< the executor that times all arms, on one machine
    std::map<std::string, RunUnderWay> m_underWay; ///< by the texts of their keys
    std::optional<LabProgressCount> m_count; ///< until a run ends: it takes all runs of the log
    std::vector<Error> m_failures; ///< of executors, not reported yet
    std::optional<Error> m_error;
};

} // namespace

std::string statePath(const std::string& logPath, std::size_t run)
{
    return logPath + "." + std::to_string(run) + ".state";
}

std::string modelPath(const std::string& logPath, const RunKey& key)
{
    // Other bytes as in links, "%20": every file system takes it, and no two arms share a file.
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string name;
    for (const char letter : key.arm) {
        const bool isPlain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')
            || (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
        const auto byte = static_cast<unsigned char>(letter);
        name += isPlain ? std::string{letter}
                        : std::string{'%', kDigits[byte >> 4U], kDigits[byte & 0xFU]};
    }
    return logPath + ".models/" + name + "-" + std::to_string(key.seed) + ".safetensors";
}

RunExecutor executorHere(Engines engines, Clock clock)
{
    return [engines = std::move(engines), clock = std::move(clock)](
               const RunJob& job, const RunSink& sink, const std::stop_token& stop) {
        Result<LabEnd> end = trainRun(job, engines, sink, clock, stop);
        return end ? end : Error{"arm " + job.key.arm + ": " + end.error().message};
    };
}

Result<LabEnd> runLab(LabLogFile& file, const LabSettings& settings, const std::stop_token& stop)
{
    LabSchedule schedule(file, settings, stop);
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 1; i < settings.executors.size(); ++i) {
            threads.emplace_back([&, i] { schedule.work(i); });
        }
        schedule.work(0);
    }
    return schedule.end();
}

} // namespace flopsmith
