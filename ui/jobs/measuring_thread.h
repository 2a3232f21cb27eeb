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

/// One plan to measure, with the known results and the callbacks. The callbacks run on the
/// measuring thread.
struct MeasuringJob
{
    Device device;
    std::vector<MeasuredPart> plan;
    bool peaksOnly = false; ///< the parts of the plan are not measured
    MeasuringOptions options;
    KnownResults known;
    std::filesystem::path store; ///< file of results; empty: none is used
    MeasuringObserver observer;
    /// The stored results of the plan, once the device has described itself.
    std::function<void(const StoredMeasuring&)> stored;
    std::function<void(const Error&)> storeFailed; ///< no later run should use the store
    std::function<void(const MeasuringOutcome&)> finished; ///< not if cancelled
};

/// A thread that runs measuring programs through measureWithStore(), as the command line does. The
/// newest job wins: it stops the running job and replaces the waiting one. The program and the
/// store stay open between jobs. The destructor stops the job, kills the program, and joins.
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

    std::mutex m_mutex; ///< guards the next three
    std::condition_variable_any m_changed;
    std::optional<MeasuringJob> m_next;
    std::stop_source m_current; ///< of the running job, or of the next
    std::optional<DeviceSession> m_session; ///< used by the thread only, like the next two
    std::optional<MeasurementStore> m_store;
    std::filesystem::path m_storeFile; ///< of m_store, or of a store that could not be opened
    std::jthread m_thread; ///< last, so that it is joined first
};

} // namespace flopsmith::ui
