// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "app/terminal/outcome.h"
#include "core/lab/lab_run.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace flopsmith::app {

// The commands below "lab".

/// "run": trains what a log lacks.
void addLabRun(ArgumentParser lab, Command& chosen);

/// "show" and "verdict": what a log says.
void addLabShow(ArgumentParser lab, Command& chosen);

/// "summary": a log that is small enough to keep.
void addLabSummary(ArgumentParser lab, Command& chosen);

/// "distil": students of a teacher.
void addLabDistil(ArgumentParser lab, Command& chosen);

/// "merge": one log of several.
void addLabMerge(ArgumentParser lab, Command& chosen);

/// "chart": figures of a log.
void addLabChart(ArgumentParser lab, Command& chosen);

/// "export": a trained model as a folder for PyTorch.
void addLabExport(ArgumentParser lab, Command& chosen);

/// "sample" and "check".
void addLabSample(ArgumentParser lab, Command& chosen);
void addLabCheck(ArgumentParser lab, Command& chosen);

/// Trains what a log lacks, with a progress line; Ctrl+C keeps what is done. `whenComplete` says what
/// came out.
Outcome trainedLab(LabLogFile& log,
                   const std::vector<RunExecutor>& workers,
                   const std::function<Outcome(const LabLog&)>& whenComplete);

/// Training programs on this machine, one per core without a number, and what seconds are measured on.
Result<std::vector<RunExecutor>> ownWorkers(std::optional<int> sideBySide);
std::string ownMachine(std::optional<int> sideBySide);

} // namespace flopsmith::app
