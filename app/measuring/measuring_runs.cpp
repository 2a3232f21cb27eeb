// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/measuring/measuring_runs.h"

#include "app/terminal/progress_line.h"
#include "core/base/threads.h"
#include "core/protocol/device/device_list.h"
#include "core/protocol/process/interrupt.h"

#include <algorithm>
#include <csignal>
#include <mutex>

namespace flopsmith::app {
namespace {

// Indices of devices that measure one after the other, in order.
using Queue = std::vector<std::size_t>;

std::vector<Queue> queuesOf(std::span<const Device> devices)
{
    std::vector<Queue> queues;
    Queue here;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (isOwnDevice(devices[i].name)) {
            here.push_back(i);
        } else {
            queues.push_back({i});
        }
    }
    if (!here.empty()) {
        queues.push_back(here);
    }
    return queues;
}

/// One progress line for several devices.
class SharedLine
{
public:
    void show(const std::string& device, const std::string& text)
    {
        const std::lock_guard lock(m_mutex);
        m_line.show(device + ": " + text);
    }

    void note(const std::string& text)
    {
        const std::lock_guard lock(m_mutex);
        m_line.note(text);
    }

private:
    std::mutex m_mutex;
    ProgressLine m_line;
};

} // namespace

std::vector<MeasuringRun> measuringRuns(const Scenario& scenario,
                                        std::span<const Device> devices,
                                        const std::vector<MeasuredPart>& plan,
                                        const MeasuringOptions& options,
                                        const StoreChoice& store)
{
    std::vector<MeasuringRun> runs(devices.size());
    int signal = 0;
    {
        const Interrupt interrupt; // before the threads, which inherit the blocked signals
        SharedLine line;
        const auto measureOne = [&](std::size_t i) {
            const std::string& name = devices[i].name;
            runs[i] = watchedRun(
                scenario,
                devices[i],
                plan,
                options,
                store,
                {.stop = interrupt.token(),
                 .progress = [&line, &name](const std::string& text) { line.show(name, text); },
                 .note = [&line](const std::string& text) { line.note(text); }});
        };
        std::vector<std::jthread> threads;
        for (const Queue& queue : queuesOf(devices)) {
            const auto measureAll = [&measureOne, queue] {
                std::for_each(queue.begin(), queue.end(), measureOne);
            };
            if (!startThread(threads, measureAll)) {
                measureAll(); // on this thread if the system cannot start another
            }
        }
        threads.clear(); // joins
        signal = interrupt.signal();
    }
    if (signal != 0) {
        std::raise(signal); // after the measuring programs this one ends by its signal
    }
    return runs;
}

} // namespace flopsmith::app
