// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/model_commands.h"
#include "app/options/options.h"

namespace flopsmith::app {

/// Adds "safetensors" to the command "export".
void addWeightsExport(const ArgumentParser& exporting, Command& chosen);

} // namespace flopsmith::app
