// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/jobs/cpu_backend.h"

#include "app/bench/jobs/kernels.h"
#include "app/bench/jobs/transforms.h"
#include "core/kernels/cpu/cache_flush.h"
#include "core/kernels/cpu/simd/memory_ledger.h"

namespace flopsmith::bench {

CpuBackend::CpuBackend(cpu::Threads threads, CacheState cache, cpu::Precision precision)
    : m_threads(threads)
    , m_precision(precision)
{
    if (cache == CacheState::cold) {
        const Environment environment = currentEnvironment(threads.count);
        m_flushedBytes = cpu::flushBytes(static_cast<std::size_t>(environment.l2Bytes.value_or(0)),
                                         static_cast<std::size_t>(environment.l3Bytes.value_or(0)),
                                         threads);
    }
}

CpuBackend::~CpuBackend()
{
    cpu::memoryLedger().allow();
}

Result<std::unique_ptr<Kernel>> CpuBackend::prepared(const Operation& operation,
                                                     WeightView<float> weights,
                                                     const Inputs& inputs) const
{
    return bench::prepared(operation, weights, inputs, m_threads, m_precision);
}

void CpuBackend::allowMemory(const Count& bytes) const
{
    cpu::memoryLedger().allow(static_cast<std::size_t>(bytes));
}

bool CpuBackend::memoryRefused() const
{
    return cpu::memoryLedger().refused();
}

Count CpuBackend::kernelBytes(const Kernel& /*kernel*/) const
{
    return static_cast<Count>(cpu::memoryLedger().maxTakenBytes());
}

Count CpuBackend::timingBytes() const
{
    return static_cast<Count>(m_flushedBytes);
}

std::optional<PlannedTransforms> CpuBackend::plannedTransforms(const Operation& operation) const
{
    return bench::plannedTransforms(operation);
}

Result<Measurement> CpuBackend::timed(
    Kernel& kernel,
    const MeasureOptions& options,
    const std::stop_token& stop,
    const std::function<void(const MeasureProgress&)>& progress) const
{
    MeasureOptions own = options;
    std::unique_ptr<Kernel> flush;
    if (m_flushedBytes > 0) {
        Result<std::unique_ptr<Kernel>> made = cpu::prepareCacheFlush(m_flushedBytes, m_threads);
        if (!made) {
            return made.error();
        }
        flush = std::move(*made);
        own.beforeEachRun = [&] { flush->run(); };
    }
    return measure([&] { kernel.run(); }, own, stop, progress);
}

} // namespace flopsmith::bench
