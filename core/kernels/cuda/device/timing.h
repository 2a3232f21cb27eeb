// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/device.h"

#include <functional>

// What it takes to time kernels by the device's own clock; who does so is not here.
namespace flopsmith::cuda {

/// A moment in a stream.
class Event
{
public:
    Event();
    ~Event();
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    void record(const Device& device);

    /// Blocks until this moment has come. Both must have been recorded. Resolution some 0.5 µs.
    double secondsSince(const Event& earlier) const;

private:
    cudaEvent_t m_event = nullptr;
};

/// Everything that a call enqueues, kept so that it can be launched again at once: without the
/// host's part of every launch.
class Graph
{
public:
    /// Calls `enqueue` once; nothing is executed yet. It must not wait for the device.
    Graph(const Device& device, const std::function<void()>& enqueue);
    ~Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    void launch() const;

private:
    const Device& m_device;
    cudaGraphExec_t m_graph = nullptr;
};

/// Writes more memory than the last cache holds, so that it holds nothing of what came before.
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
