// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "app/terminal/outcome.h"

namespace flopsmith::app {

// The commands below "slurm".

/// "script": a job array as a script for sbatch, and its folder.
void addSlurmScript(ArgumentParser slurm, Command& chosen);

/// "status": the state of each task.
void addSlurmStatus(ArgumentParser slurm, Command& chosen);

/// "collect": the results of all tasks as one file.
void addSlurmCollect(ArgumentParser slurm, Command& chosen);

} // namespace flopsmith::app
