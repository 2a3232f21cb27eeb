// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/stored_passes.h"

#include <QMetaObject>

namespace flopsmith::ui {

// A store that cannot be read is reported by the measuring that uses it too.
void StoredPasses::useStore(const std::filesystem::path& file)
{
    m_store = file.empty() ? nullptr : std::make_unique<StoreThread>(file, [](const Error&) {});
    m_outdated = true;
}

void StoredPasses::look(const Device& device, const std::vector<Scenario>& scenarios)
{
    if (!m_store || (!m_outdated && device == m_device && scenarios == m_scenarios)) {
        return;
    }
    m_outdated = false;
    m_device = device;
    m_scenarios = scenarios;
    m_passes.assign(scenarios.size(), {.device = device.name});
    ++m_run;
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
        const std::vector<MeasuredPart> plan = partsOfPass(scenarios[i]);
        m_store->recall(device, plan, [this, plan, i, run = m_run](const StoredMeasuring& stored) {
            const Result<PassTime> time = passTime(plan, stored.outcome.parts);
            QMetaObject::invokeMethod(
                this, [this, run, i, time] { take(run, i, time); }, Qt::QueuedConnection);
        });
    }
}

void StoredPasses::take(int run, std::size_t place, const Result<PassTime>& time)
{
    if (run == m_run && time) {
        m_passes[place].time = *time;
        Q_EMIT found();
    }
}

} // namespace flopsmith::ui
