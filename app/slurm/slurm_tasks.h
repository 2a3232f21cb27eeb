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
    missing, ///< nobody has worked on it
    waiting, ///< in Slurm's queue
    running,
    stopped, ///< at the end of its time, or for another job; it continues when it is started again
    lost, ///< it was running, and Slurm does not know it any more: killed
    failed,
    done,
};

std::string_view nameOf(TaskState state);

struct SlurmTask
{
    int number = 1;
    TaskState state = TaskState::missing;
    std::int64_t since = 0; ///< seconds since 1970; 0: not known
    std::string host{};
    std::string detail{}; ///< "3 of 9 runs", "exit code 1"
};

/// What Slurm's queue says of the tasks of a job: "RUNNING", "PENDING"; nothing without squeue.
using SlurmQueue = std::optional<std::map<int, std::string>>;
SlurmQueue queueOf(const SlurmJob& job);

/// The states of all tasks, from their files and the queue.
std::vector<SlurmTask> tasksOf(const SlurmJob& job, const SlurmQueue& queue);

} // namespace flopsmith::app
