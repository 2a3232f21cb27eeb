// SPDX-License-Identifier: MIT
#include "core/store/pool_store.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace flopsmith {

// One connection per device thread, and one for the thread that distributes the jobs.
class PoolStore::Stores
{
public:
    Stores(const std::filesystem::path& file,
           Reuse reuse,
           std::span<const Device> devices,
           const MeasuringOptions& options)
        : m_reuse(reuse)
        , m_options(options)
        , m_devices(devices.begin(), devices.end())
        , m_own(opened(file))
    {
        for (const Device& device : devices) {
            m_stores.push_back(opened(file));
            m_machines.push_back(machineOf(device));
        }
    }

    PoolMemory memory()
    {
        if (!m_own) {
            return {};
        }
        PoolMemory memory;
        memory.measure = [this](auto&&... all) { return measure(all...); };
        if (m_reuse == Reuse::yes) {
            memory.home = [this](std::span<const MeasuredPart> plan) { return home(plan); };
        }
        return memory;
    }

    std::optional<Error> failure() const
    {
        const std::lock_guard lock(m_mutex);
        return m_failure;
    }

private:
    std::optional<MeasurementStore> opened(const std::filesystem::path& file)
    {
        Result<MeasurementStore> store = MeasurementStore::open(file);
        if (!store) {
            fail(store.error());
            return std::nullopt;
        }
        return std::move(*store);
    }

    // The device's machine at its last answer, if there was one.
    std::optional<StoredMachine> machineOf(const Device& device)
    {
        if (!m_own) {
            return std::nullopt;
        }
        const Result<std::optional<StoredMachine>> machine = m_own->machineOf(device);
        return machine ? *machine : std::nullopt;
    }

    PooledParts measure(DeviceSession& session,
                        std::span<const MeasuredPart> plan,
                        const MeasuringOptions& options,
                        const std::stop_token& stop,
                        KnownResults& known,
                        const MeasuringObserver& observer)
    {
        StoredMeasuring measuring = measureWithStore(
            session, plan, options, stop, storeFor(session.device()), m_reuse, known, observer);
        if (measuring.storeFailure) {
            fail(*measuring.storeFailure);
        }
        return {.outcome = std::move(measuring.outcome), .storedAt = std::move(measuring.storedAt)};
    }

    MeasurementStore* storeFor(const Device& device)
    {
        const auto found = std::find(m_devices.begin(), m_devices.end(), device);
        if (found == m_devices.end()) {
            return nullptr;
        }
        auto& store = m_stores[static_cast<std::size_t>(found - m_devices.begin())];
        return store ? &*store : nullptr;
    }

    std::optional<std::size_t> home(std::span<const MeasuredPart> plan)
    {
        for (std::size_t i = 0; i < m_machines.size(); ++i) {
            const bool all = m_machines[i]
                && std::all_of(plan.begin(), plan.end(), [&](const MeasuredPart& part) {
                                 const auto stored = m_own->find(
                                     *m_machines[i], questionOf(part.operation, m_options));
                                 return stored && stored->has_value();
                             });
            if (all) {
                return i;
            }
        }
        return std::nullopt;
    }

    void fail(const Error& error)
    {
        const std::lock_guard lock(m_mutex);
        if (!m_failure) {
            m_failure = error;
        }
    }

    Reuse m_reuse;
    MeasuringOptions m_options;
    std::vector<Device> m_devices;
    mutable std::mutex m_mutex; // of the failure
    std::optional<Error> m_failure;
    std::optional<MeasurementStore> m_own;
    std::vector<std::optional<MeasurementStore>> m_stores; // parallel to the devices
    std::vector<std::optional<StoredMachine>> m_machines; // the same
};

PoolStore::PoolStore(const std::filesystem::path& file,
                     Reuse reuse,
                     std::span<const Device> devices,
                     const MeasuringOptions& options)
    : m_stores(std::make_unique<Stores>(file, reuse, devices, options))
{}

PoolStore::~PoolStore() = default;

PoolMemory PoolStore::memory()
{
    return m_stores->memory();
}

std::optional<Error> PoolStore::failure() const
{
    return m_stores->failure();
}

} // namespace flopsmith
