// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/slurm/slurm_tasks.h"

#include "core/base/printable.h"
#include "core/base/text_file.h"
#include "core/lab/log/lab_log_file.h"
#include "core/lab/progress/next_run.h"
#include "core/protocol/process/worker_process.h"

#include <filesystem>
#include <sstream>
#include <variant>

namespace flopsmith::app {
namespace {

constexpr Milliseconds kPatience{20'000};

// "done 1764277547 node3 17_2", as the script writes it.
struct StateLine
{
    std::string state;
    std::int64_t since = 0;
    std::string host;
};

StateLine stateLineOf(const std::string& path)
{
    StateLine line;
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) {
        const Result<std::string> text = textOfFile(path);
        std::istringstream words(text ? *text : std::string());
        words >> line.state >> line.since >> line.host;
        line.host = printable(line.host);
    }
    return line;
}

TaskState stateOf(const StateLine& line, const SlurmQueue& queue, int task)
{
    const bool isQueued = queue && queue->contains(task);
    if (line.state == "done") {
        return TaskState::done;
    }
    if (line.state == "running" && (!queue || (isQueued && queue->at(task) != "PENDING"))) {
        return TaskState::running;
    }
    if (isQueued) {
        return TaskState::waiting;
    }
    if (line.state == "running") {
        return TaskState::lost;
    }
    if (line.state == "stopped") {
        return TaskState::stopped;
    }
    return line.state.starts_with("failed") ? TaskState::failed : TaskState::missing;
}

std::string progressOf(const SlurmJob& job, int task)
{
    std::error_code ignored;
    const std::string path = job.result(task);
    if (job.work() != SlurmWork::lab || !std::filesystem::exists(path, ignored)) {
        return {};
    }
    const Result<LabLog> log = readLabLog(path);
    if (!log) {
        return printable(log.error().message);
    }
    const LabProgressCount count = countRuns(*log, {.number = task, .of = job.tasks});
    return std::to_string(count.done) + " of " + std::to_string(count.planned) + " runs";
}

} // namespace

std::string_view nameOf(TaskState state)
{
    switch (state) {
    case TaskState::missing: return "missing";
    case TaskState::waiting: return "waiting";
    case TaskState::running: return "running";
    case TaskState::stopped: return "stopped";
    case TaskState::lost: return "lost";
    case TaskState::failed: return "failed";
    case TaskState::done: return "done";
    }
    return "";
}

SlurmQueue queueOf(const SlurmJob& job)
{
    Result<WorkerProcess> squeue = WorkerProcess::start(
        {"squeue", "--noheader", "--array", "--me", "--name=" + job.name(), "--format=%K %T"});
    std::map<int, std::string> queue;
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (squeue) {
        const Milliseconds left = leftUntil(end);
        const WorkerProcess::Event event =
            left.count() > 0 ? squeue->receive(left) : WorkerProcess::Silent{};
        if (const auto* line = std::get_if<WorkerProcess::Line>(&event)) {
            std::istringstream words(line->text);
            int task = 0;
            std::string state;
            if (words >> task >> state) {
                queue[task] = state;
            }
        } else if (const auto* ended = std::get_if<WorkerProcess::Ended>(&event)) {
            const bool isFine = ended->sentence.find("exit code 0") != std::string::npos;
            return isFine ? SlurmQueue(queue) : std::nullopt;
        } else {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

std::vector<SlurmTask> tasksOf(const SlurmJob& job, const SlurmQueue& queue)
{
    std::vector<SlurmTask> tasks;
    for (int number = 1; number <= job.tasks; ++number) {
        const StateLine line = stateLineOf(job.file(number, "state"));
        SlurmTask task{.number = number,
                       .state = stateOf(line, queue, number),
                       .since = line.since,
                       .host = line.host,
                       .detail = progressOf(job, number)};
        if (task.state == TaskState::failed) {
            const std::string code = line.state.substr(line.state.find(':') + 1);
            task.detail =
                "exit code " + printable(code) + ", see " + printable(job.file(number, "out"));
        }
        tasks.push_back(std::move(task));
    }
    return tasks;
}

} // namespace flopsmith::app
