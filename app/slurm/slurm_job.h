// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace flopsmith::app {

/// The joint work of a Slurm array: a sweep or a lab, of which each task does one share.
enum class SlurmWork { sweep, lab };

/// A job array and its folder, which holds the request (request.json), the script (job.sh) and for each
/// task its result, its state and its output.
struct SlurmJob
{
    std::string folder; ///< absolute
    std::string place; ///< absolute; where the command's files are named from
    std::string program; ///< flopsmith
    std::vector<std::string> command; ///< "sweep …" or "lab run …"
    int tasks = 1;
    std::string time = "1:00:00"; ///< as Slurm writes it
    std::string partition; ///< empty: the usual one
    int gpus = 0; ///< of a task
    int cpus = 1; ///< of a task
    std::vector<std::string> more; ///< further options of sbatch: "--account=x"

    bool operator==(const SlurmJob&) const = default;

    SlurmWork work() const;

    /// The job's name for squeue.
    std::string name() const;

    /// The file of a task, from 1: task-3.jsonl, task-3.state, …
    std::string file(int task, const std::string& ending) const;

    /// Where a task writes its results: the log of a lab, the table of a sweep.
    std::string result(int task) const;
};

/// An Error for a command that is neither a sweep nor lab run, or that names its output itself, for
/// numbers out of bounds, and for texts that a line of a script cannot contain.
Status validated(const SlurmJob& job);

/// The whole script for sbatch: plain sh that a person can read and edit.
std::string scriptText(const SlurmJob& job);

/// request.json, and back.
std::string requestText(const SlurmJob& job);
Result<SlurmJob> jobOfFolder(const std::string& folder);

} // namespace flopsmith::app
