// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/block/block.cuh"
#include "core/kernels/cuda/block/elements.cuh"
#include "core/kernels/cuda/ffn/channels/composed.h"
#include "core/kernels/cuda/gemm/columns.cuh"

#include <optional>

namespace flopsmith::cuda {
namespace {

// to = m ⊙ from/(1 − p)
struct Dropping
{
    const float* from;
    const unsigned char* kept; ///< 1 or 0, [rows, columns]
    float scale;
    std::int64_t columns;
    float* to;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        const std::int64_t at = row * columns + column;
        Pack<float, N> values = load<N>(from + at);
        for (int i = 0; i < N; ++i) {
            values.at[i] = kept[at + i] != 0 ? values.at[i] * scale : 0.0F;
        }
        store<N>(to + at, values);
    }
};

// One thread per channel and part of the tokens: σ ⊙ dz, the gradient of a stage's output, and
// Σ dz ⊙ output. partial: [parts, columns] for gates per channel, else [parts, blocks of columns].
__global__ void gateGradients(OpenGate gate,
                              const float* output,
                              const float* dz,
                              float* dOutput,
                              std::int64_t rows,
                              std::int64_t rowsPerPart,
                              std::int64_t columns,
                              float* partial)
{
    const PartOfRows part(rows, rowsPerPart);
    float sum = 0.0F;
    if (part.column < columns) {
        const float open = gate(part.column);
        for (std::int64_t row = part.first; row < part.last; ++row) {
            const std::int64_t at = row * columns + part.column;
            const float value = dz[at];
            sum = fmaf(value, output[at], sum);
            dOutput[at] = open * value;
        }
    }
    if (gate.stride != 0) {
        if (part.column < columns) {
            partial[static_cast<std::int64_t>(blockIdx.y) * columns + part.column] = sum;
        }
        return;
    }
    sum = sumOverBlock(sum);
    if (threadIdx.x == 0) {
        partial[static_cast<std::int64_t>(blockIdx.y) * gridDim.x + blockIdx.x] = sum;
    }
}

// dg ← dg·σ·(1 − σ)
struct GateSlopes
{
    const float* open;
    float* gradients;

    template <int N>
    __device__ void operator()(std::int64_t, std::int64_t column, Width<N>) const
    {
        const Pack<float, N> opened = load<N>(open + column);
        Pack<float, N> values = load<N>(gradients + column);
        for (int i = 0; i < N; ++i) {
            values.at[i] *= opened.at[i] * (1.0F - opened.at[i]);
        }
        store<N>(gradients + column, values);
    }
};

// The gradients of the gates of all stages.
class GateGradients
{
public:
    GateGradients(const ComposedFfn& ffn,
                  const StageSize& size,
                  DeviceWeights weights,
                  DeviceGradients gradients,
                  const Device& device)
        : m_device(device)
        , m_size(size)
        , m_stages(static_cast<std::int64_t>(ffn.stages.size()))
        , m_gates(ffn, size.dModel, weights, device)
        , m_parts(device, size.tokens, size.dModel)
    {
        if (m_gates.width() > 0) {
            m_gradient = gradients[0].data();
            const std::int64_t d = size.dModel;
            m_sums =
                ffn.gate == GateKind::channel ? m_parts.count : m_parts.count * m_parts.grid(d).x;
            m_partial = DeviceBuffer<float>(device.memory(),
                                            static_cast<std::size_t>(m_sums * m_gates.width()));
            m_dOutput =
                DeviceBuffer<float>(device.memory(), static_cast<std::size_t>(size.activations()));
        }
    }

    OpenGate ofStage(std::size_t stage) const { return m_gates.ofStage(stage); }
    bool keepsOutputs() const { return m_gates.width() > 0; }

    // The gradient of the stage's output: dz itself if there are no gates.
    const float* through(std::size_t stage, const float* output, const float* dz)
    {
        if (!keepsOutputs()) {
            return dz;
        }
        launch(m_device,
               m_parts.grid(m_size.dModel),
               kColumnsPerBlock,
               0,
               &gateGradients,
               ofStage(stage),
               output,
               dz,
               m_dOutput.data(),
               m_parts.rows,
               m_parts.rowsPerPart,
               std::int64_t{m_size.dModel},
               m_partial.data());
        addParts(m_device,
                 m_partial.data(),
                 m_sums,
                 m_gates.width(),
                 m_gradient + static_cast<std::int64_t>(stage) * m_gates.width());
        return m_dOutput.data();
    }

    // Called after the backward passes of all stages.
    void finish()
    {
        if (keepsOutputs()) {
            forEachElement(
                m_device, 1, m_stages * m_gates.width(), GateSlopes{m_gates.values(), m_gradient});
        }
    }

private:
    const Device& m_device;
    StageSize m_size;
    std::int64_t m_stages;
    OpenedGates m_gates;
    RowParts m_parts;
    float* m_gradient = nullptr;
    std::int64_t m_sums = 0; ///< rows of m_partial
    DeviceBuffer<float> m_partial;
    DeviceBuffer<float> m_dOutput;
};

// The dropout mask of a training pass. It depends on the seed alone, so it is drawn once.
class Dropout
{
public:
    Dropout(const ComposedFfn& ffn, const StageSize& size, const Device& device)
        : m_device(device)
        , m_size(size)
        , m_scale(static_cast<float>(1.0 / (1.0 - ffn.dropout)))
    {
        const DropoutMask mask(ffn);
        std::vector<unsigned char> kept(static_cast<std::size_t>(size.activations()));
        for (std::size_t i = 0; i < kept.size(); ++i) {
            kept[i] = mask.factor(i) != 0.0 ? 1 : 0;
        }
        m_kept = DeviceBuffer<unsigned char>(device.memory(), kept);
    }

    void run(const float* from, float* to) const
    {
        const std::int64_t d = m_size.dModel;
        forEachElement(m_device, m_size.tokens, d, Dropping{from, m_kept.data(), m_scale, d, to});
    }

private:
    const Device& m_device;
    StageSize m_size;
    float m_scale;
    DeviceBuffer<unsigned char> m_kept;
};

class ComposedBackwardStage : public BackwardStage
{
public:
    ComposedBackwardStage(const ComposedFfn& ffn,
                          const StageSize& size,
                          DeviceWeights weights,
                          DeviceGradients gradients,
                          const Device& device)
        : m_device(device)
        , m_sequential(ffn.mode == CompositionMode::sequential)
        , m_size(size)
        , m_gates(ffn, size, weights, gradients, device)
    {
        const std::vector<TensorRange> tensors = tensorsOfStages(ffn, size.dModel);
        for (std::size_t i = 0; i < ffn.stages.size(); ++i) {
            m_stages.push_back(
                cuda::makeBackwardStage(ffn.stages[i].spec,
                                        size,
                                        weights.subspan(tensors[i].first, tensors[i].count),
                                        gradients.subspan(tensors[i].first, tensors[i].count),
                                        device));
            m_outputs.push_back(activations());
            if (m_sequential && i > 0) {
                m_inputs.push_back(activations());
            }
        }
        m_term = activations();
        if (m_sequential) {
            m_dz = activations();
        }
        if (ffn.drops() && !ffn.stages.empty()) {
            m_dropout.emplace(ffn, size, device);
            m_dropped = activations();
        }
    }

    void save(const float* x, float* y) override
    {
        if (m_stages.empty()) {
            writeZeros(y);
            return;
        }
        if (m_sequential) {
            saveInSequence(x, y);
        } else {
            saveSideBySide(x, y);
        }
        if (m_dropout) {
            m_dropout->run(y, y);
        }
    }

    void run(const float* dy, float* dx) override
    {
        if (m_stages.empty()) {
            writeZeros(dx);
            return;
        }
        if (m_dropout) {
            m_dropout->run(dy, m_dropped.data());
        }
        const float* dJoined = m_dropout ? m_dropped.data() : dy;
        if (m_sequential) {
            runInSequence(dJoined, dx);
        } else {
            runSideBySide(dJoined, dx);
        }
        m_gates.finish();
    }

private:
    DeviceBuffer<float> activations() const
    {
        return {m_device.memory(), static_cast<std::size_t>(m_size.activations())};
    }

    void writeZeros(float* to) const
    {
        const std::size_t bytes = static_cast<std::size_t>(m_size.activations()) * sizeof(float);
        check(cudaMemsetAsync(to, 0, bytes, m_device.stream()), "write zeros");
    }

    // to = a + gate ⊙ b, less `minus` if there is one.
    void sum(const float* a,
             const float* b,
             const OpenGate& gate,
             const float* minus,
             float* to) const
    {
        ChannelPass pass = emptyPass(m_size);
        addTerm(pass, a);
        addTerm(pass, b, gate);
        pass.minus = minus;
        pass.to = to;
        cuda::run(m_device, pass, nullptr);
    }

    void saveSideBySide(const float* x, float* y)
    {
        for (std::size_t i = 0; i < m_stages.size(); ++i) {
            m_stages[i]->save(x, m_outputs[i].data());
        }
        for (std::size_t i = 0; i < m_stages.size();) {
            ChannelPass pass = emptyPass(m_size);
            pass.to = y;
            if (i > 0) {
                addTerm(pass, y);
            }
            for (; i < m_stages.size() && pass.termCount < ChannelPass::kMaxTerms; ++i) {
                addTerm(pass, m_outputs[i].data(), m_gates.ofStage(i));
            }
            cuda::run(m_device, pass, nullptr);
        }
    }

    void saveInSequence(const float* x, float* y)
    {
        const float* z = x;
        for (std::size_t i = 0; i < m_stages.size(); ++i) {
            const bool isLast = i + 1 == m_stages.size();
            m_stages[i]->save(z, m_outputs[i].data());
            float* next = isLast ? y : m_inputs[i].data();
            sum(z, m_outputs[i].data(), m_gates.ofStage(i), isLast ? x : nullptr, next);
            z = next;
        }
    }

    void runSideBySide(const float* dy, float* dx)
    {
        for (std::size_t i = m_stages.size(); i-- > 0;) {
            const bool isFirst = i + 1 == m_stages.size();
            const float* dOutput = m_gates.through(i, m_outputs[i].data(), dy);
            m_stages[i]->run(dOutput, isFirst ? dx : m_term.data());
            if (!isFirst) {
                sum(dx, m_term.data(), {}, nullptr, dx);
            }
        }
    }

    void runInSequence(const float* dy, float* dx)
    {
        const float* dz = dy;
        for (std::size_t i = m_stages.size(); i-- > 0;) {
            const float* dOutput = m_gates.through(i, m_outputs[i].data(), dz);
            m_stages[i]->run(dOutput, m_term.data());
            float* next = i == 0 ? dx : m_dz.data();
            sum(dz, m_term.data(), {}, i == 0 ? dy : nullptr, next);
            dz = next;
        }
    }

    const Device& m_device;
    bool m_sequential;
    StageSize m_size;
    GateGradients m_gates;
    std::vector<std::unique_ptr<BackwardStage>> m_stages;
    std::vector<DeviceBuffer<float>> m_outputs; ///< of the stages, before their gates
    std::vector<DeviceBuffer<float>> m_inputs; ///< of all stages but the first, in sequence
    DeviceBuffer<float> m_term;
    DeviceBuffer<float> m_dz;
    std::optional<Dropout> m_dropout;
    DeviceBuffer<float> m_dropped;
};

} // namespace

std::unique_ptr<BackwardStage> makeBackwardStage(const ComposedFfn& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device)
{
    return std::make_unique<ComposedBackwardStage>(ffn, size, weights, gradients, device);
}

} // namespace flopsmith::cuda
