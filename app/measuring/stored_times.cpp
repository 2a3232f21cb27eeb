// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/measuring/stored_times.h"

#include "core/study/sweep/pass_time.h"

#include <optional>

namespace flopsmith::app {
namespace {

// The device itself first, so that its times win.
Result<std::vector<Device>> devicesWithResults(MeasurementStore& store, const Device& device)
{
    std::vector<Device> devices{device};
    const Result<std::vector<Device>> known = allDevices();
    for (const Device& each : known ? *known : ownDevices()) {
        devices.push_back(each);
    }
    FLOPSMITH_TRY(const std::vector<ImportedDevice> imported, store.importedDevices());
    for (const ImportedDevice& each : imported) {
        devices.push_back(each.device);
    }
    return devices;
}

Result<MeasuredPass> storedPass(MeasurementStore& store,
                                const std::vector<Device>& devices,
                                const Scenario& scenario)
{
    const std::vector<MeasuredPart> plan = partsOfPass(scenario);
    for (const Device& device : devices) {
        FLOPSMITH_TRY(const StoredMeasuring stored, recalled(store, device, plan, {}));
        if (const Result<PassTime> time = passTime(plan, stored.outcome.parts)) {
            return MeasuredPass{.device = device.name, .time = *time};
        }
    }
    return MeasuredPass{.device = devices.front().name};
}

} // namespace

Status addStoredTimes(std::vector<ComparedDesign>& designs,
                      const Device& device,
                      const StoreChoice& choice)
{
    for (ComparedDesign& design : designs) {
        design.measured = MeasuredPass{.device = device.name};
    }
    if (!choice.used) {
        return Done{};
    }
    FLOPSMITH_TRY(std::optional<MeasurementStore> store,
                  MeasurementStore::openExisting(choice.file));
    if (!store) {
        return Done{};
    }
    FLOPSMITH_TRY(const std::vector<Device> devices, devicesWithResults(*store, device));
    for (ComparedDesign& design : designs) {
        FLOPSMITH_TRY(const MeasuredPass pass, storedPass(*store, devices, design.scenario));
        design.measured = pass;
    }
    return Done{};
}

} // namespace flopsmith::app
