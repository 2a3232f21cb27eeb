// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/shared/backend.h"
#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/cpu/threads/threads.h"

namespace flopsmith::bench {

/// The kernels of this CPU, timed by its clock.
class CpuBackend : public Backend
{
public:
    /// `precision` is one that computesProductsIn() has.
    explicit CpuBackend(cpu::Threads threads,
                        CacheState cache = CacheState::hot,
                        cpu::Precision precision = cpu::Precision::float32);
    ~CpuBackend() override;

    Result<std::unique_ptr<Kernel>> prepared(const Operation& operation,
                                             WeightView<float> weights,
                                             const Inputs& inputs) const override;
    void allowMemory(const Count& bytes) const override;
    bool memoryRefused() const override;
    Count kernelBytes(const Kernel& kernel) const override;
    Count timingBytes() const override;
    int threads() const override { return m_threads.count; }
    double operandRounding() const override { return cpu::operandRounding(m_precision); }
    std::optional<PlannedTransforms> plannedTransforms(const Operation& operation) const override;
    Result<Measurement> timed(
        Kernel& kernel,
        const MeasureOptions& options,
        const std::stop_token& stop,
        const std::function<void(const MeasureProgress&)>& progress) const override;

private:
    cpu::Threads m_threads;
    cpu::Precision m_precision;
    std::size_t m_flushedBytes = 0; ///< before each run; 0 with hot caches
};

} // namespace flopsmith::bench
