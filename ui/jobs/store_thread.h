// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/stored_measuring.h"

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace flopsmith::ui {

/// A thread that reads a measurement store, so that the window never waits for a disk or for
/// another program that writes. After the first failure, which is reported, the store is not read
/// again. The destructor drops waiting requests and joins.
class StoreThread
{
public:
    /// All callbacks run on this thread; without a store file none is called.
    StoreThread(std::filesystem::path file, std::function<void(const Error&)> failed);
    ~StoreThread();
    StoreThread(const StoreThread&) = delete;
    StoreThread& operator=(const StoreThread&) = delete;

    /// Looks up the plan on the machine that the device was when it answered last.
    void recall(const Device& device,
                const std::vector<MeasuredPart>& plan,
                std::function<void(const StoredMeasuring&)> found);

    /// Looks up the devices that have imported results.
    void findImports(std::function<void(const std::vector<Device>&)> found);

private:
    using Reading = std::function<Status(MeasurementStore&)>;

    void read(Reading reading);
    void loop(const std::stop_token& stop);
    Status run(const Reading& reading);

    std::filesystem::path m_file;
    std::function<void(const Error&)> m_failed;
    std::mutex m_mutex; ///< guards the next two
    std::condition_variable_any m_changed;
    std::deque<Reading> m_readings;
    std::optional<MeasurementStore> m_store; ///< used by the thread only
    std::jthread m_thread; ///< last, so that it is joined first
};

} // namespace flopsmith::ui
