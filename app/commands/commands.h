// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "app/terminal/outcome.h"

namespace flopsmith::app {

// One function per command, in a file of its name: adds the command to the program, and puts it
// into `chosen` when the command line names it.

void addCost(ArgumentParser program, Command& chosen);
void addCompare(ArgumentParser program, Command& chosen);
void addMemory(ArgumentParser program, Command& chosen);
void addRoofline(ArgumentParser program, Command& chosen);
void addTrain(ArgumentParser program, Command& chosen);
void addHardware(ArgumentParser program, Command& chosen);
void addSweep(ArgumentParser program, Command& chosen);
void addFind(ArgumentParser program, Command& chosen);
void addFolklore(ArgumentParser program, Command& chosen);
void addFormula(ArgumentParser program, Command& chosen);
void addMeasure(ArgumentParser program, Command& chosen);
void addReport(ArgumentParser program, Command& chosen);
void addClaims(ArgumentParser program, Command& chosen);
void addPeaks(ArgumentParser program, Command& chosen);
void addShares(ArgumentParser program, Command& chosen);
void addDevices(ArgumentParser program, Command& chosen);
void addResults(ArgumentParser program, Command& chosen);
void addPresets(ArgumentParser program, Command& chosen);
void addFamilies(ArgumentParser program, Command& chosen);
void addWaterfall(ArgumentParser program, Command& chosen);
void addConformance(ArgumentParser program, Command& chosen);
void addLenses(ArgumentParser program, Command& chosen);
void addParameters(ArgumentParser program, Command& chosen);
void addShare(ArgumentParser program, Command& chosen);
void addCheck(ArgumentParser program, Command& chosen);
void addLab(ArgumentParser program, Command& chosen);
void addSlurm(ArgumentParser program, Command& chosen);

} // namespace flopsmith::app
