// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/table/table.h"
#include "core/store/measurement_store.h"

#include <span>
#include <string>

namespace flopsmith::app {

/// The measured operation in a few words: "dense d_ff=1024, backward"; settings at their defaults
/// are left out.
std::string operationText(const MeasureRequest& question);

/// The machine of a result, with imports marked: "NVIDIA H100 of lab-gpu (imported)".
std::string machineText(const StoredMachine& machine);

enum class ResultOrder { taken, median, rate, operation, device };

/// A row per result with everything about it, for programs.
Table resultsTable(std::span<const MachineResults> machines, ResultOrder order);

/// The same in the width of a terminal.
Table resultsTableForPeople(std::span<const MachineResults> machines,
                            ResultOrder order,
                            UnixSeconds now);

} // namespace flopsmith::app
