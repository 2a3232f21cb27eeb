// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/store_thread.h"

#include <utility>

namespace flopsmith::ui {

StoreThread::StoreThread(std::filesystem::path file, std::function<void(const Error&)> failed)
    : m_file(std::move(file))
    , m_failed(std::move(failed))
    , m_thread([this](const std::stop_token& stop) { loop(stop); })
{}

StoreThread::~StoreThread()
{
    m_thread.request_stop();
}

void StoreThread::recall(const Device& device,
                         const std::vector<MeasuredPart>& plan,
                         std::function<void(const StoredMeasuring&)> found)
{
    read([device, plan, found = std::move(found)](MeasurementStore& store) -> Status {
        FLOPSMITH_TRY(const StoredMeasuring stored, recalled(store, device, plan, {}));
        found(stored);
        return Done{};
    });
}

void StoreThread::findImports(std::function<void(const std::vector<Device>&)> found)
{
    read([found = std::move(found)](MeasurementStore& store) -> Status {
        FLOPSMITH_TRY(const std::vector<ImportedDevice> imported, store.importedDevices());
        std::vector<Device> devices;
        for (const ImportedDevice& each : imported) {
            devices.push_back(each.device);
        }
        found(devices);
        return Done{};
    });
}

void StoreThread::read(Reading reading)
{
    const std::lock_guard lock(m_mutex);
    m_readings.push_back(std::move(reading));
    m_changed.notify_one();
}

void StoreThread::loop(const std::stop_token& stop)
{
    for (;;) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, stop, [this] { return !m_readings.empty(); });
        if (stop.stop_requested()) {
            return;
        }
        const Reading reading = std::move(m_readings.front());
        m_readings.pop_front();
        lock.unlock();
        if (const Status done = run(reading); !done) {
            m_failed(done.error());
            return;
        }
    }
}

Status StoreThread::run(const Reading& reading)
{
    if (!m_store) {
        FLOPSMITH_TRY(std::optional<MeasurementStore> existing,
                      MeasurementStore::openExisting(m_file));
        m_store = std::move(existing);
    }
    return m_store ? reading(*m_store) : Status(Done{});
}

} // namespace flopsmith::ui
