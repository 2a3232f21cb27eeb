// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/measurement_store.h"

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace flopsmith::ui {

/// A thread that reads a measurement store, so that the window never waits for a disk or for another
/// program that writes. The first failure is told, and then the store is left alone. The destructor
/// drops what is still to be read, and joins.
class StoreThread
{
public:
    using Reading = std::function<Status(MeasurementStore&)>;

    /// `failed` is called on this thread.
    StoreThread(std::filesystem::path file, std::function<void(const Error&)> failed);
    ~StoreThread();
    StoreThread(const StoreThread&) = delete;
    StoreThread& operator=(const StoreThread&) = delete;

    /// Nothing happens as long as there is no store.
    void read(Reading reading);

private:
    void loop(const std::stop_token& stop);
    Status run(const Reading& reading);

    std::filesystem::path m_file;
    std::function<void(const Error&)> m_failed;
    std::mutex m_mutex; ///< of the next two
    std::condition_variable_any m_changed;
    std::deque<Reading> m_readings;
    std::optional<MeasurementStore> m_store; ///< of the thread alone
    std::jthread m_thread; ///< last, so that it ends first
};

} // namespace flopsmith::ui
