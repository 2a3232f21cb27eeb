// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/terminal/outcome.h"

#include <CLI/CLI.hpp>

namespace flopsmith::app {

// One function per command, in a file of its name: adds the command to the program, and puts it
// into `chosen` when the command line names it.

void addCost(CLI::App& program, Command& chosen);
void addMemory(CLI::App& program, Command& chosen);
void addRoofline(CLI::App& program, Command& chosen);
void addTrain(CLI::App& program, Command& chosen);
void addHardware(CLI::App& program, Command& chosen);
void addSweep(CLI::App& program, Command& chosen);
void addFind(CLI::App& program, Command& chosen);
void addFolklore(CLI::App& program, Command& chosen);
void addFormula(CLI::App& program, Command& chosen);
void addMeasure(CLI::App& program, Command& chosen);
void addChart(CLI::App& program, Command& chosen);
void addDemo(CLI::App& program, Command& chosen);
void addClaims(CLI::App& program, Command& chosen);
void addPeaks(CLI::App& program, Command& chosen);
void addShares(CLI::App& program, Command& chosen);
void addDevices(CLI::App& program, Command& chosen);
void addResults(CLI::App& program, Command& chosen);
void addPresets(CLI::App& program, Command& chosen);
void addWaterfall(CLI::App& program, Command& chosen);
void addConformance(CLI::App& program, Command& chosen);
void addLenses(CLI::App& program, Command& chosen);
void addParameters(CLI::App& program, Command& chosen);
void addCheck(CLI::App& program, Command& chosen);

} // namespace flopsmith::app
