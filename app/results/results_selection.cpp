// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/results_selection.h"

#include "app/options/options.h"
#include "core/model/operation.h"
#include "core/share/open_model.h"
#include "core/store/when.h"

#include <algorithm>

namespace flopsmith::app {

void ResultsSelection::addTo(ArgumentParser command)
{
    command.addOption("--device", m_device, "Part of a device's name, or whose it is")
        .typeName("TEXT");
    command
        .addOption(
            "--since", m_since, "Measured on that day or later (2026-11-18), or 6h, 7d, 2w ago")
        .typeName("WHEN");
    const Option outdated =
        command.addFlag("--outdated", m_outdated, "Only of earlier libraries, drivers or programs");
    command.addFlag("--current", m_current, "Only of the present ones").excludes(outdated);
}

void ResultsSelection::addModelTo(ArgumentParser command)
{
    command.addOption("--model", m_model, "Only operations of this model, whatever the workload")
        .typeName("MODEL");
    addAssumeOption(command, m_doubtful);
}

bool ResultsSelection::isAnySet() const
{
    return !m_device.empty() || !m_since.empty() || m_outdated || m_current;
}

Result<ResultSelection> ResultsSelection::selection() const
{
    ResultSelection selection{.device = m_device};
    if (!m_since.empty()) {
        const Result<UnixSeconds> since = sinceOf(m_since, unixNow());
        if (!since) {
            return Error{"--since " + since.error().message};
        }
        selection.since = *since;
    }
    selection.age = m_outdated ? ResultSelection::Age::outdated
        : m_current            ? ResultSelection::Age::current
                               : ResultSelection::Age::any;
    return selection;
}

Status ResultsSelection::keepModel(std::vector<MachineResults>& machines) const
{
    if (m_model.empty()) {
        return Done{};
    }
    FLOPSMITH_TRY(const Loaded loaded, openedModel(m_model, Illegal::refuse, m_doubtful));
    std::vector<MeasuredPart> parts = measuredParts(loaded.project.scenario);
    if (std::optional<MeasuredPart> whole = measuredWhole(loaded.project.scenario)) {
        parts.push_back(std::move(*whole));
    }
    for (MachineResults& machine : machines) {
        std::erase_if(machine.results, [&parts](const StoredResult& result) {
            const Operation& mine = result.question.operation;
            return std::none_of(parts.begin(), parts.end(), [&mine](const MeasuredPart& part) {
                return part.operation.what == mine.what && part.operation.dModel == mine.dModel;
            });
        });
    }
    return Done{};
}

} // namespace flopsmith::app
