// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/device/timing.h"

#include <algorithm>

namespace flopsmith::cuda {

Event::Event()
{
    check(cudaEventCreate(&m_event), "make an event");
}

Event::~Event()
{
    cudaEventDestroy(m_event);
}

void Event::record(const Device& device)
{
    check(cudaEventRecord(m_event, device.stream()), "record an event");
}

double Event::secondsSince(const Event& earlier) const
{
    check(cudaEventSynchronize(m_event), "finish what it was given");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, earlier.m_event, m_event), "tell the time");
    return 1e-3 * static_cast<double>(milliseconds);
}

Graph::Graph(const Device& device, const std::function<void()>& enqueue)
    : m_device(device)
{
    check(cudaStreamBeginCapture(device.stream(), cudaStreamCaptureModeThreadLocal),
          "begin a graph");
    cudaGraph_t captured = nullptr;
    try {
        enqueue();
    } catch (...) {
        cudaStreamEndCapture(device.stream(), &captured);
        cudaGraphDestroy(captured);
        throw;
    }
    check(cudaStreamEndCapture(device.stream(), &captured), "end a graph");
    const cudaError_t result = cudaGraphInstantiate(&m_graph, captured, 0);
    cudaGraphDestroy(captured);
    check(result, "make a graph ready");
}

Graph::~Graph()
{
    cudaGraphExecDestroy(m_graph);
}

void Graph::launch() const
{
    check(cudaGraphLaunch(m_graph, m_device.stream()), "launch a graph");
}

CacheFlush::CacheFlush(const Device& device)
    : m_device(device)
    , m_memory(device.memory(), 2 * std::max(device.facts().l2Bytes, std::size_t{1} << 20))
{}

void CacheFlush::enqueue()
{
    check(cudaMemsetAsync(m_memory.data(), 0, m_memory.bytes(), m_device.stream()),
          "flush its cache");
}

} // namespace flopsmith::cuda
