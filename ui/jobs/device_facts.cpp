// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/device_facts.h"

#include "core/protocol/measuring/best_peaks.h"
#include "core/study/machine/measured_roofs.h"
#include "ui/jobs/part_times.h"

namespace flopsmith::ui {

void DeviceFacts::choose(const Device& device)
{
    m_device = device;
    m_storedDescribed.reset();
    m_peaks.reset();
    m_roofs.reset();
    m_hasAnswered = false;
    if (known().peaks) {
        showPeaks(*known().peaks, known().described);
    }
}

std::optional<Measured> DeviceFacts::result(const Operation& operation) const
{
    const auto results = m_known.find(m_device.command);
    const Measured* found =
        results == m_known.end() ? nullptr : results->second.find(questionOf(operation, {}));
    return found != nullptr ? std::optional(*found) : std::nullopt;
}

bool DeviceFacts::takeDescribed(const Described& described)
{
    m_hasAnswered = true;
    const bool changed = known().described != described;
    known().described = described;
    return changed;
}

bool DeviceFacts::takePeaks(const PeaksMeasured& peaks)
{
    const std::optional<MachineRoofs> before = m_roofs;
    known().peaks = known().peaks ? bestOf(*known().peaks, peaks) : peaks;
    showPeaks(*known().peaks, known().described);
    return m_roofs != before;
}

bool DeviceFacts::takeStored(const StoredMeasuring& stored)
{
    m_storedDescribed = stored.outcome.described;
    if (m_storedDescribed && stored.machine && stored.machine->isImported()) {
        m_storedDescribed->device += " of " + stored.machine->origin;
    }
    if (known().peaks) {
        return false;
    }
    const std::optional<MachineRoofs> before = m_roofs;
    if (stored.outcome.peaks) {
        showPeaks(*stored.outcome.peaks, stored.outcome.described);
    } else { // the shown results may be from a machine that answered earlier
        m_peaks.reset();
        m_roofs.reset();
    }
    return m_roofs != before;
}

void DeviceFacts::showPeaks(const PeaksMeasured& peaks, const std::optional<Described>& described)
{
    m_peaks = peaksOf(peaks);
    m_roofs = machineRoofs(
        peaks, m_device.name, described ? hardwareKindOf(*described) : HardwareKind::cpu);
}

const Described* DeviceFacts::described() const
{
    const auto found = m_known.find(m_device.command);
    if (found != m_known.end() && found->second.described) {
        return &*found->second.described;
    }
    return m_storedDescribed ? &*m_storedDescribed : nullptr;
}

const std::string& DeviceFacts::text() const
{
    const Described* answer = described();
    return answer != nullptr ? answer->device : m_device.name;
}

std::string DeviceFacts::warning() const
{
    const Described* answer = described();
    return answer != nullptr ? answer->environment.warning : std::string();
}

} // namespace flopsmith::ui
