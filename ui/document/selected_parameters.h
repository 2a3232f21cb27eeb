// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter/parameter_place.h"
#include "core/parameter/parameter_table.h"
#include "ui/document/selection.h"

#include <string>
#include <vector>

namespace flopsmith::ui {

// A parameter of the current run stands for the same one of every selected run; any other parameter
// stands for itself.

/// The runs on which a parameter at this place is set: of several selected ones all, else none.
std::vector<int> runsToSet(const Selection& selection, const ParameterPlace& place);

/// Whether every selected run has it, as a value of the same kind.
bool isOfAll(const Scenario& scenario, const Selection& selection, const Parameter& parameter);

/// Whether it applies in every selected run.
bool appliesInAll(const Scenario& scenario, const Selection& selection, const Parameter& parameter);

/// Whether its value differs between selected runs.
bool isMixed(const Scenario& scenario, const Selection& selection, const Parameter& parameter);

/// The value that a run can take instead of a wanted one: the nearest number, or what it has.
FieldValue possibleValue(const Scenario& scenario,
                         const Parameter& parameter,
                         const FieldValue& wanted);

/// Why some of the runs, besides the place's own, take another value than the wanted one, and which;
/// empty if all take it.
std::string correctionsText(const Scenario& scenario,
                            const std::vector<int>& runs,
                            const ParameterPlace& place,
                            const FieldValue& wanted);

} // namespace flopsmith::ui
