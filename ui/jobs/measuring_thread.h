// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/measuring/measuring.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace flopsmith::ui {

/// One plan to measure, with what is known already and whom to tell.
struct MeasuringJob
{
    Device device;
    std::vector<MeasuredPart> plan;
    MeasuringOptions options;
    KnownResults known;
    MeasuringObserver observer; ///< called on the measuring thread
    std::function<void(const MeasuringOutcome&)> finished; ///< there too; not if cancelled
};

/// A thread that asks measuring programs. The newest job wins: it stops the one that runs and
/// replaces the one that waits. The program is kept from one job to the next on the same device.
/// The destructor stops everything, kills the program, and joins.
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

    std::mutex m_mutex; ///< of the next three
    std::condition_variable_any m_changed;
    std::optional<MeasuringJob> m_next;
    std::stop_source m_current; ///< of the job that runs, or of the next
    std::optional<DeviceSession> m_session; ///< of the thread alone
    std::jthread m_thread; ///< last, so that it ends first
};

} // namespace flopsmith::ui
