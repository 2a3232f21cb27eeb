// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/stored_measuring.h"

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace flopsmith::ui {

/// One plan to measure, with what is known already and whom to tell. All functions are called on
/// the measuring thread.
struct MeasuringJob
{
    Device device;
    std::vector<MeasuredPart> plan;
    bool peaksOnly = false; ///< the parts of the plan are not measured
    MeasuringOptions options;
    KnownResults known;
    std::filesystem::path store; ///< where results are kept; empty: nowhere
    MeasuringObserver observer;
    /// What the store has of the plan, once the device has described itself.
    std::function<void(const StoredMeasuring&)> stored;
    std::function<void(const Error&)> storeFailed; ///< measuring goes on without the store
    std::function<void(const MeasuringOutcome&)> finished; ///< not if cancelled
};

/// A thread that asks measuring programs, through measureWithStore() as the command line does, and
/// keeps what they answer. The newest job wins: it stops the one that runs and replaces the one that
/// waits. The program and the store are kept from one job to the next. The destructor stops
/// everything, kills the program, and joins.
class MeasuringThread
{
public:
    MeasuringThread();
    ~MeasuringThread();
    MeasuringThread(const MeasuringThread&) = delete;
    MeasuringThread& operator=(const MeasuringThread&) = delete;

    void start(MeasuringJob job);
    void cancel();

private:
    void loop(const std::stop_token& stop);
    void run(MeasuringJob& job, const std::stop_token& stop);
    void openStore(const MeasuringJob& job);
    void reportStored(const MeasuringJob& job);

    std::mutex m_mutex; ///< of the next three
    std::condition_variable_any m_changed;
    std::optional<MeasuringJob> m_next;
    std::stop_source m_current; ///< of the job that runs, or of the next
    std::optional<DeviceSession> m_session; ///< of the thread alone, as are the next two
    std::optional<MeasurementStore> m_store;
    std::filesystem::path m_storeFile; ///< of the store, or of one that could not be opened
    std::jthread m_thread; ///< last, so that it ends first
};

} // namespace flopsmith::ui
