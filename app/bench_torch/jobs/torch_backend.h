// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/shared/backend.h"
#include "app/bench_torch/jobs/torch_worker.h"

#include <stop_token>
#include <string>

namespace flopsmith::bench {

/// "float32", as PyTorch calls the type, or "tf32".
std::string precisionName(ComputePrecision precision);

/// The modules that the export writes, run and timed by PyTorch.
class TorchBackend : public Backend
{
public:
    /// The worker and the token outlive it.
    TorchBackend(TorchWorker& worker, const MeasureRequest& request, const std::stop_token& stop);

    Status runs(const Operation& operation) const override;
    Result<std::unique_ptr<Kernel>> prepared(const Operation& operation,
                                             WeightView<float> weights,
                                             const Inputs& inputs) const override;
    Count kernelBytes(const Kernel& kernel) const override;
    Count deviceBytes() const override;
    int threads() const override { return m_threads; }
    double operandRounding() const override;
    Result<Measurement> timed(
        Kernel& kernel,
        const MeasureOptions& options,
        const std::stop_token& stop,
        const std::function<void(const MeasureProgress&)>& progress) const override;

private:
    TorchWorker& m_worker;
    const MeasureRequest& m_request;
    const std::stop_token& m_stop;
    TorchFacts m_facts;
    int m_threads = 1;
};

} // namespace flopsmith::bench
