// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/device.h"

#include <functional>

// Tools to time kernels with the device's clock.
namespace flopsmith::cuda {

/// A CUDA event: a point in a stream.
class Event
{
public:
    Event();
    ~Event();
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    void record(const Device& device);

    /// Blocks until this event has occurred. Both must have been recorded. Resolution about 0.5 µs.
    double secondsSince(const Event& earlier) const;

private:
    cudaEvent_t m_event = nullptr;
};

/// A CUDA graph of everything that a call enqueues; replaying it avoids the host's cost per launch.
class Graph
{
public:
    /// Captures one call of `enqueue` without executing it. `enqueue` must not wait for the device.
    Graph(const Device& device, const std::function<void()>& enqueue);
    ~Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    void launch() const;

private:
    const Device& m_device;
    cudaGraphExec_t m_graph = nullptr;
};

/// Writes more memory than the last-level cache holds, which evicts everything else.
class CacheFlush
{
public:
    explicit CacheFlush(const Device& device);
    void enqueue();

private:
    const Device& m_device;
    DeviceBuffer<std::byte> m_memory;
};

} // namespace flopsmith::cuda
