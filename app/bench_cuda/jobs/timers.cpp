// SPDX-License-Identifier: MIT
#include "app/bench_cuda/jobs/timers.h"

#include "core/kernels/cuda/device/timing.h"

#include <memory>

namespace flopsmith::bench {
namespace {

using cuda::Device;

// Even this many of the shortest kernels (2 µs) take far longer than launching their graph.
constexpr int kRunsPerGraph = 32;

// Between two events of the device.
class Interval
{
public:
    explicit Interval(const Device& device)
        : m_device(device)
    {}

    template <class Enqueue>
    double seconds(const Enqueue& enqueue)
    {
        m_begin.record(m_device);
        enqueue();
        m_end.record(m_device);
        return m_end.secondsSince(m_begin);
    }

private:
    const Device& m_device;
    cuda::Event m_begin;
    cuda::Event m_end;
};

using Run = std::function<void()>;

class HotTimer
{
public:
    explicit HotTimer(const Device& device)
        : m_device(device)
        , m_interval(device)
    {}

    double operator()(const Run& run, int runs)
    {
        if (m_single == nullptr) {
            m_single = std::make_unique<cuda::Graph>(m_device, run);
        }
        if (runs >= kRunsPerGraph && m_several == nullptr) {
            m_several = std::make_unique<cuda::Graph>(m_device, [&] {
                for (int i = 0; i < kRunsPerGraph; ++i) {
                    run();
                }
            });
        }
        return m_interval.seconds([&] {
            for (int i = 0; i < runs / kRunsPerGraph; ++i) {
                m_several->launch();
            }
            for (int i = 0; i < runs % kRunsPerGraph; ++i) {
                m_single->launch();
            }
        });
    }

private:
    const Device& m_device;
    Interval m_interval;
    std::unique_ptr<cuda::Graph> m_single;
    std::unique_ptr<cuda::Graph> m_several;
};

class ColdTimer
{
public:
    explicit ColdTimer(const Device& device)
        : m_device(device)
        , m_interval(device)
        , m_flush(device)
    {}

    double operator()(const Run& run, int runs)
    {
        if (m_single == nullptr) {
            m_single = std::make_unique<cuda::Graph>(m_device, run);
        }
        double seconds = 0.0;
        for (int i = 0; i < runs; ++i) {
            m_flush.enqueue();
            seconds += m_interval.seconds([&] { m_single->launch(); });
        }
        return seconds;
    }

private:
    const Device& m_device;
    Interval m_interval;
    cuda::CacheFlush m_flush;
    std::unique_ptr<cuda::Graph> m_single;
};

// std::function requires a copyable callable; these timers are not copyable.
template <class Timer>
BatchTimer shared(const Device& device)
{
    return [timer = std::make_shared<Timer>(device)](const Run& run, int runs) {
        return (*timer)(run, runs);
    };
}

} // namespace

BatchTimer hotTimer(const Device& device)
{
    return shared<HotTimer>(device);
}

BatchTimer coldTimer(const Device& device)
{
    return shared<ColdTimer>(device);
}

BatchTimer launchTimer(const Device& device)
{
    return [interval = std::make_shared<Interval>(device)](const Run& run, int runs) {
        return interval->seconds([&] {
            for (int i = 0; i < runs; ++i) {
                run();
            }
        });
    };
}

} // namespace flopsmith::bench
