// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "core/io/hugging_face/import.h"
#include "core/store/measurement_store.h"

#include <string>
#include <vector>

namespace flopsmith::app {

/// --device, --since, --outdated, --current, --model and --assume: a filter of stored results.
class ResultsSelection
{
public:
    void addTo(ArgumentParser command);
    void addModelTo(ArgumentParser command);

    /// Whether any but --model was given.
    bool isAnySet() const;

    /// The options except --model, or what is wrong with them.
    Result<ResultSelection> selection() const;

    /// Leaves only operations that --model consists of, whatever the workload.
    Status keepModel(std::vector<MachineResults>& machines) const;

private:
    std::string m_device;
    std::string m_since;
    std::string m_model;
    DoubtfulSize m_doubtful = DoubtfulSize::refuse;
    bool m_outdated = false;
    bool m_current = false;
};

} // namespace flopsmith::app
