// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "app/terminal/outcome.h"

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

} // namespace flopsmith::app
