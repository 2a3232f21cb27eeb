// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/attention/score_core.h"

namespace flopsmith::cuda {

ScoreCore::ScoreCore(const Device& device,
                     AttentionAlgorithm algorithm,
                     const CoreSize& size,
                     const ScoreSteps& steps,
                     const CacheStrides& cache,
                     Keeping keeping)
{
    if (algorithm == AttentionAlgorithm::materialised) {
        m_matrix.emplace(device, size, steps, cache, keeping);
        return;
    }
    m_core.emplace(device, size);
    if (keeping == Keeping::forBackward) {
        const auto rows = static_cast<std::size_t>(size.rows());
        m_backward.emplace(device, size, steps.biases != nullptr);
        m_largest = DeviceBuffer<float>(device.memory(), rows);
        m_total = DeviceBuffer<float>(device.memory(), rows);
    }
}

void ScoreCore::run(const CoreInput& input, const ScoreSteps& steps, const Destination& out)
{
    if (m_matrix) {
        m_matrix->run(input, steps, out);
    } else {
        m_core->run(input, steps, out, sums());
    }
}

void ScoreCore::runBackward(const CoreInput& input,
                            const ScoreSteps& steps,
                            const Operand& out,
                            const Operand& dOut,
                            const CoreGradients& gradients)
{
    if (m_matrix) {
        m_matrix->runBackward(input, steps, dOut, gradients);
    } else {
        m_backward->run(input, steps, out, sums(), dOut, gradients);
    }
}

} // namespace flopsmith::cuda
