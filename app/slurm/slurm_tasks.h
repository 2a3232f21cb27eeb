// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/slurm/slurm_job.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace flopsmith::app {

enum class TaskState {
    missing, ///< not started yet
    waiting, ///< in Slurm's queue
    running,
    stopped, ///< at the end of its time, or for another job; it continues when it is started again
    lost, ///< it was running, but Slurm no longer knows it: killed
    failed,
    done,
};

std::string_view nameOf(TaskState state);

struct SlurmTask
{
    int number = 1;
    TaskState state = TaskState::missing;
    std::int64_t since = 0; ///< seconds since 1970; 0: unknown
    std::string host{};
    std::string detail{}; ///< "3 of 9 runs", "exit code 1"
};

/// The states of a job's tasks in Slurm's queue: "RUNNING", "PENDING"; nothing without squeue.
using SlurmQueue = std::optional<std::map<int, std::string>>;
SlurmQueue queueOf(const SlurmJob& job);

/// The states of all tasks, from their files and the queue.
std::vector<SlurmTask> tasksOf(const SlurmJob& job, const SlurmQueue& queue);

} // namespace flopsmith::app
