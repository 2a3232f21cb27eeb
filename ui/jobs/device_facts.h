// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/budget/machine_roofs.h"
#include "core/protocol/device/device.h"
#include "core/store/stored_measuring.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace flopsmith::ui {

/// What is known of the chosen device: its answers since the program started, which are kept when
/// another device is chosen, or else its stored results.
class DeviceFacts
{
public:
    void choose(const Device& device);
    const Device& device() const { return m_device; }

    /// Measured since the program started.
    KnownResults& known() { return m_known[m_device.command]; }

    /// The result of an operation; nothing if it was not measured since the program started.
    std::optional<Measured> result(const Operation& operation) const;

    /// Forgets the results of the device.
    void forget(const Device& device) { m_known.erase(device.command); }

    /// Whether the device has described itself since it was chosen.
    bool hasAnswered() const { return m_hasAnswered; }

    /// Returns whether the description changed.
    bool takeDescribed(const Described& described);

    /// These return whether the peaks changed. The higher value of each rate is kept.
    bool takePeaks(const PeaksMeasured& peaks);
    bool takeStored(const StoredMeasuring& stored);

    /// "Intel(R) Xeon(R) …, 2 cores", or the device's name as long as nothing is known.
    const std::string& text() const;

    /// An avoidable reason why the device's kernels are slow, as one sentence; empty if none is
    /// known.
    std::string warning() const;

    const std::optional<Peaks>& peaks() const { return m_peaks; }
    const std::optional<MachineRoofs>& roofs() const { return m_roofs; }

private:
    const Described* described() const;
    void showPeaks(const PeaksMeasured& peaks, const std::optional<Described>& described);

    Device m_device;
    std::map<std::vector<std::string>, KnownResults> m_known; ///< by command
    std::optional<Described> m_storedDescribed;
    std::optional<Peaks> m_peaks;
    std::optional<MachineRoofs> m_roofs;
    bool m_hasAnswered = false;
};

} // namespace flopsmith::ui
