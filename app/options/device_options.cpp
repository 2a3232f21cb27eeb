// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options/device_options.h"

#include "app/options/options.h"
#include "core/protocol/device/device_list.h"
#include "core/protocol/wire/wire_names.h"

#include <algorithm>

namespace flopsmith::app {
namespace {

// An unreadable store has no devices here; measuring with it reports the failure.
std::vector<Device> importedDevices(const StoreChoice& choice)
{
    std::vector<Device> devices;
    Result<std::optional<MeasurementStore>> store = MeasurementStore::openExisting(choice.file);
    if (!choice.used || !store || !*store) {
        return devices;
    }
    if (const auto imported = (*store)->importedDevices()) {
        for (const ImportedDevice& each : *imported) {
            devices.push_back(each.device);
        }
    }
    return devices;
}

// The names in a list such as "this CPU,GPU box", but of a name that has a comma itself, that name.
std::vector<std::string> namesIn(const std::string& list, const StoreChoice& store)
{
    if (list.find(',') == std::string::npos || namedDevice(list, store)) {
        return {list};
    }
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        names.push_back(list.substr(begin, end - begin));
        begin = end + 1;
    }
    return names;
}

} // namespace

Result<Device> namedDevice(const std::string& name, const StoreChoice& store)
{
    const std::string wanted = name.empty() ? std::string(kThisCpu) : name;
    if (Result<Device> own = deviceNamed(wanted, ownDevices())) {
        return own;
    }
    FLOPSMITH_TRY(std::vector<Device> all, allDevices());
    for (Device& device : importedDevices(store)) {
        all.push_back(std::move(device));
    }
    return deviceNamed(wanted, all);
}

Result<std::vector<Device>> namedDevices(const std::vector<std::string>& lists,
                                         const StoreChoice& store)
{
    std::vector<Device> all;
    for (const std::string& list : lists.empty() ? std::vector<std::string>{""} : lists) {
        for (const std::string& name : namesIn(list, store)) {
            if (name.empty() && !list.empty()) {
                return Error{"--device " + list + ": a name is missing beside a comma"};
            }
            FLOPSMITH_TRY(const Device device, namedDevice(name, store));
            if (std::find(all.begin(), all.end(), device) != all.end()) {
                return Error{"--device " + name
                             + ": named twice; it can measure one thing at a time"};
            }
            all.push_back(device);
        }
    }
    return all;
}

Outcome noDevice(const Error& error)
{
    return listedDevices() ? Outcome::failure(ExitCode::deviceUnavailable, error.message)
                           : Outcome::badInput(error);
}

void DeviceOptions::addTo(ArgumentParser command)
{
    command
        .addOption(
            "--device",
            [this](const std::string& name) { m_names.assign(name.empty() ? 0 : 1, name); },
            "Where to measure (see flopsmith devices); without it, "
            "this CPU")
        .typeName("NAME");
    addBudgetTo(command);
}

void DeviceOptions::addSeveralTo(ArgumentParser command)
{
    command
        .addOption("--device",
                   m_names,
                   "Where to measure (see flopsmith devices); several side by side, compared with "
                   "the first; without it, this CPU")
        .typeName("NAME,\xE2\x80\xA6")
        .oneValuePerUse();
    addBudgetTo(command);
}

void DeviceOptions::addBudgetTo(ArgumentParser command)
{
    command.addOption("--budget", m_budgetSeconds, "Seconds for timing all parts together")
        .typeName("SECONDS")
        .check(between(0.1, 86400.0))
        .showDefault();
    m_store.addTo(command);
}

void DeviceOptions::addConditionsTo(ArgumentParser command)
{
    const auto names = [](const auto& all) {
        return std::vector<std::string>(all.begin(), all.end());
    };
    command
        .addOption("--precision",
                   m_precision,
                   "Of the operands of products: float32, tf32 or bfloat16; a device that does "
                   "not compute in it says so")
        .oneOf(names(wire::kPrecisions))
        .typeName("NAME")
        .showDefault();
    command
        .addOption("--cache",
                   m_cache,
                   "What the caches hold when a run begins: hot, what the run before left there; "
                   "cold, nothing of it")
        .oneOf(names(wire::kCacheStates))
        .typeName("STATE")
        .showDefault();
}

MeasuringOptions DeviceOptions::measuring() const
{
    const auto indexOf = [](const auto& all, const std::string& name) {
        return std::find(all.begin(), all.end(), name) - all.begin();
    };
    return {.budgetSeconds = m_budgetSeconds,
            .precision = static_cast<ComputePrecision>(indexOf(wire::kPrecisions, m_precision)),
            .cache = static_cast<CacheState>(indexOf(wire::kCacheStates, m_cache))};
}

Result<Device> DeviceOptions::device() const
{
    return namedDevice(isNamed() ? m_names.front() : std::string(), m_store.choice());
}

Result<std::vector<Device>> DeviceOptions::devices() const
{
    return namedDevices(m_names, m_store.choice());
}

bool DeviceOptions::areSeveral() const
{
    return m_names.size() > 1
        || (isNamed() && namesIn(m_names.front(), m_store.choice()).size() > 1);
}

} // namespace flopsmith::app
