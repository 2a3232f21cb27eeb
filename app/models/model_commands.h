// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "app/terminal/outcome.h"

namespace flopsmith::app {

// The commands that write a model as files, read it from files, or run it once.

/// "export": a design as a folder of PyTorch or transformers.
void addDesignExport(ArgumentParser program, Command& chosen);

/// "import": a folder with config.json and weights as a design.
void addImport(ArgumentParser program, Command& chosen);

/// "generate": text written by a trained model.
void addGenerate(ArgumentParser program, Command& chosen);

/// "logits": the outputs of a model for some tokens.
void addLogits(ArgumentParser program, Command& chosen);

} // namespace flopsmith::app
