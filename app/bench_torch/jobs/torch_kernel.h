// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench_torch/jobs/part_program.h"
#include "app/bench_torch/jobs/torch_worker.h"
#include "core/io/safetensors/tensor_source.h"
#include "core/kernels/kernel.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace flopsmith::bench {

/// A part loaded into the worker. Everything that asks it throws a TorchFailure. run() brings the
/// inputs there and the outputs back and is not what is timed: see seconds().
class TorchKernel : public Kernel
{
public:
    /// All outlive it.
    TorchKernel(TorchWorker& worker,
                const Operation& operation,
                const Inputs& inputs,
                const std::stop_token& stop);
    ~TorchKernel() override;

    Status load(WeightView<float> weights, const std::string& precision, int threads);

    void run() override;
    std::span<const float> output() const override { return m_output; }

    /// How long so many runs take there. With cold caches each follows on one overwriting of the
    /// caches: `hostCache` is the size of the processor's last one, and 0 for hot caches.
    double seconds(int runs, std::int64_t hostCache) const;

    /// Of weights and inputs.
    std::size_t operandElements() const { return m_operandElements; }

private:
    void write(const std::string& path, const std::vector<TensorToWrite>& tensors) const;
    void readOutput(const std::string& path);
    void transposeGradients();

    TorchWorker& m_worker;
    Operation m_operation;
    const Inputs& m_inputs;
    const std::stop_token& m_stop;
    PartProgram m_program;
    std::vector<ProgramGradient> m_gradients; ///< of a backward pass
    int m_slot = 0;
    std::vector<float> m_output;
    std::size_t m_operandElements = 0;
};

} // namespace flopsmith::bench
