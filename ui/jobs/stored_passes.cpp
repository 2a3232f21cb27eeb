// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/stored_passes.h"

#include "ui/jobs/part_times.h"

#include <QMetaObject>

#include <algorithm>

namespace flopsmith::ui {

// A store that cannot be read is reported by the measuring that uses it too.
void StoredPasses::useStore(const std::filesystem::path& file)
{
    m_store = file.empty() ? nullptr : std::make_unique<StoreThread>(file, [](const Error&) {});
    m_outdated = true;
}

void StoredPasses::lookUp(const Device& device, const std::vector<Scenario>& scenarios)
{
    if (!m_store || (!m_outdated && device == m_device && scenarios == m_scenarios)) {
        return;
    }
    m_outdated = false;
    m_device = device;
    m_scenarios = scenarios;
    m_passes.assign(scenarios.size(), {.device = device.name});
    m_parts.clear();
    ++m_run;
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
        m_parts.push_back({.device = device.name, .parts = measuredParts(scenarios[i])});
        const auto arrived = [this, i, run = m_run](const StoredMeasuring& stored) {
            QMetaObject::invokeMethod(
                this, [this, run, i, stored] { take(run, i, stored); }, Qt::QueuedConnection);
        };
        m_store->recall(device, partsOfPass(scenarios[i]), arrived);
    }
}

// The forward pass comes first in the plan of a pass.
void StoredPasses::take(int run, std::size_t place, const StoredMeasuring& stored)
{
    if (run != m_run) {
        return;
    }
    const std::vector<PartResult>& results = stored.outcome.parts;
    if (const Result<PassTime> time = passTime(partsOfPass(m_scenarios[place]), results)) {
        m_passes[place].time = *time;
    }
    DesignTimes& design = m_parts[place];
    design.times.clear();
    for (std::size_t i = 0; i < std::min(design.parts.size(), results.size()); ++i) {
        design.times.push_back(partTime(results[i]));
    }
    if (std::any_of(design.times.begin(), design.times.end(), [](const PartTime& time) {
            return time.hasTime();
        })) {
        Q_EMIT found();
    }
}

} // namespace flopsmith::ui

#include "moc_stored_passes.cpp"
