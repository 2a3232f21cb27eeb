// SPDX-License-Identifier: MIT
#include "core/ffn/micro_refine.h"

#include "core/kernels/cuda/block/block.cuh"
#include "core/kernels/cuda/ffn/channels/channel_stage.h"
#include "core/kernels/cuda/gemm/columns.cuh"

namespace flopsmith::cuda {
namespace {

// The channels of each round for all rows: chosen by magnitude, or a fixed list.
struct RoundBits
{
    KeptBits ofFirst;
    std::int64_t roundStride = 0; ///< in words

    __device__ KeptBits operator[](int round) const
    {
        return {ofFirst.words + round * roundStride, ofFirst.rowStride};
    }
};

struct Iterations
{
    RefinementValues values;
    int columns;
    int rounds;
    int kept; ///< of each round
    KeptBits fixed; ///< empty: the largest are chosen
    const float* x;
    float* y;
    float* rowMemory; ///< [rows, columns], null if a row fits into shared memory
    unsigned* chosen; ///< [rounds, rows, words], if not null
    float* z; ///< [rounds − 1, rows, columns]: saves the input of later rounds, if not null
};

// One block per row, which stays in shared memory; a thread owns the channels thread + i·threads.
__global__ void refineIteratively(Iterations p)
{
    const std::int64_t rows = gridDim.x;
    const std::int64_t row = blockIdx.x;
    const std::int64_t at = row * p.columns;
    const std::int64_t words = (p.columns + kWordBits - 1) / kWordBits;
    float* z = p.rowMemory == nullptr ? sharedMemory<float>() : p.rowMemory + at;
    BlockTeam block;
    for (int j = block.thread(); j < p.columns; j += block.size()) {
        z[j] = p.x[at + j];
    }
    for (int round = 0; round < p.rounds; ++round) {
        Threshold threshold;
        const auto key = [&](int j) { return magnitudeKey(z[j]); };
        const auto kept = [&](int j) {
            return p.fixed.words == nullptr ? threshold.keeps(key(j), j) : p.fixed.has(0, j);
        };
        if (p.fixed.words == nullptr) {
            threshold = thresholdOfLargest(block, p.columns, p.kept, key);
            if (p.chosen != nullptr) {
                writeBits(p.chosen + (round * rows + row) * words, p.columns, kept);
            }
        }
        for (int j = block.thread(); j < p.columns; j += block.size()) {
            if (round > 0 && p.z != nullptr) {
                p.z[((round - 1) * rows + row) * p.columns + j] = z[j];
            }
            if (kept(j)) {
                z[j] += p.values(j, z[j]);
            }
        }
    }
    for (int j = block.thread(); j < p.columns; j += block.size()) {
        p.y[at + j] = z[j] - p.x[at + j];
    }
}

bool rowFitsOnChip(const Device& device, int columns)
{
    constexpr std::size_t kOther = std::size_t{4} << 10;
    return sizeof(float) * static_cast<std::size_t>(columns) + kOther
        <= device.facts().sharedBytesPerBlock;
}

class IterativeStage : public Stage
{
public:
    IterativeStage(const MicroRefineFfn& ffn,
                   const StageSize& size,
                   DeviceWeights weights,
                   const Device& device)
        : m_device(device)
        , m_size(size)
        , m_onChip(rowFitsOnChip(device, size.dModel))
        , m_rowMemory(device.memory(), m_onChip ? 0 : static_cast<std::size_t>(size.activations()))
    {
        m_iterations.values = {weights[0].data(), weights[1].data(), weights[2].data()};
        m_iterations.columns = size.dModel;
        m_iterations.rounds = ffn.steps;
        m_iterations.kept = ffn.keptChannels(size.dModel);
        m_iterations.rowMemory = m_rowMemory.data();
        if (ffn.selection == ChannelSelection::fixed) {
            m_fixed = listAsBits(device, ffn.fixedList(size.dModel), size.dModel);
            m_iterations.fixed = {m_fixed.data(), 0};
        }
    }

    const Iterations& iterations() const { return m_iterations; }
    void keep(unsigned* chosen, float* z)
    {
        m_iterations.chosen = chosen;
        m_iterations.z = z;
    }

    void run(const float* x, float* y) override
    {
        m_iterations.x = x;
        m_iterations.y = y;
        constexpr int kValuesPerThread = 4;
        const auto columns = static_cast<std::size_t>(m_size.dModel);
        launch(m_device,
               static_cast<unsigned>(m_size.tokens),
               static_cast<unsigned>(threadsForRow(dividedUp(m_size.dModel, kValuesPerThread))),
               m_onChip ? sizeof(float) * columns : 0,
               &refineIteratively,
               m_iterations);
    }

private:
    const Device& m_device;
    StageSize m_size;
    bool m_onChip;
    DeviceBuffer<float> m_rowMemory;
    DeviceBuffer<unsigned> m_fixed;
    Iterations m_iterations{};
};

struct RefinementGradients
{
    RefinementValues values;
    RoundBits kept;
    int columns;
    int rounds; ///< 0: mode `groups`, a single round without a residual path
    const float* x;
    const float* z; ///< as Iterations::z
    const float* dy;
    float* dx;
    float* partial; ///< [3, parts, columns]: of β, γ and δ
};

// One thread per channel and part of the tokens; rounds from the last to the first.
__global__ void refinementGradients(RefinementGradients p,
                                    std::int64_t rows,
                                    std::int64_t rowsPerPart)
{
    const PartOfRows part(rows, rowsPerPart);
    if (part.column >= p.columns) {
        return;
    }
    const int rounds = p.rounds == 0 ? 1 : p.rounds;
    RefinementShares sums{};
    for (std::int64_t row = part.first; row < part.last; ++row) {
        const std::int64_t at = row * p.columns + part.column;
        const float dy = p.dy[at];
        float dz = dy;
        float through = 0.0F;
        for (int round = rounds - 1; round >= 0; --round) {
            if (p.kept[round].has(row, part.column)) {
                const float z = round == 0 ? p.x[at] : p.z[(round - 1) * rows * p.columns + at];
                const RefinementShares shares = refinementBackward(p.values, part.column, z, dz);
                sums.beta += shares.beta;
                sums.gamma += shares.gamma;
                sums.delta += shares.delta;
                through += shares.z;
                dz += shares.z;
            }
        }
        p.dx[at] = p.rounds == 0 ? through : dz - dy;
    }
    const std::int64_t to = static_cast<std::int64_t>(blockIdx.y) * p.columns + part.column;
    const std::int64_t tensor = static_cast<std::int64_t>(gridDim.y) * p.columns;
    p.partial[to] = sums.beta;
    p.partial[tensor + to] = sums.gamma;
    p.partial[2 * tensor + to] = sums.delta;
}

class MicroRefineBackwardStage : public BackwardStage
{
public:
    MicroRefineBackwardStage(const MicroRefineFfn& ffn,
                             const StageSize& size,
                             DeviceWeights weights,
                             DeviceGradients gradients,
                             const Device& device)
        : m_device(device)
        , m_size(size)
        , m_gradients(gradients)
        , m_parts(device, size.tokens, size.dModel)
        , m_partial(device.memory(), static_cast<std::size_t>(3 * m_parts.count * size.dModel))
    {
        m_backward.values = {weights[0].data(), weights[1].data(), weights[2].data()};
        m_backward.columns = size.dModel;
        m_backward.partial = m_partial.data();
        const bool iterative = ffn.mode == MicroRefineMode::iterative;
        const int rounds = iterative ? ffn.steps : 1;
        const std::int64_t words = wordsOf(size.dModel);
        if (ffn.selection == ChannelSelection::topK) {
            m_chosen = DeviceBuffer<unsigned>(
                device.memory(), static_cast<std::size_t>(rounds * size.tokens * words));
            m_backward.kept = {{m_chosen.data(), words}, size.tokens * words};
        }
        if (iterative) {
            keepRounds(ffn, weights);
        } else {
            keepGroups(ffn, weights);
        }
    }

    void save(const float* x, float* y) override
    {
        m_backward.x = x;
        m_forward->run(x, y);
    }

    void run(const float* dy, float* dx) override
    {
        m_backward.dy = dy;
        m_backward.dx = dx;
        const std::int64_t d = m_size.dModel;
        launch(m_device,
               m_parts.grid(d),
               kColumnsPerBlock,
               0,
               &refinementGradients,
               m_backward,
               m_parts.rows,
               m_parts.rowsPerPart);
        for (std::size_t i = 0; i < m_gradients.size(); ++i) {
            const float* partial =
                m_partial.data() + static_cast<std::int64_t>(i) * m_parts.count * d;
            addParts(m_device, partial, m_parts.count, d, m_gradients[i].data());
        }
    }

private:
    void keepRounds(const MicroRefineFfn& ffn, DeviceWeights weights)
    {
        m_z = DeviceBuffer<float>(m_device.memory(),
                                  static_cast<std::size_t>((ffn.steps - 1) * m_size.activations()));
        auto forward = std::make_unique<IterativeStage>(ffn, m_size, weights, m_device);
        forward->keep(m_chosen.data(), m_z.data());
        if (ffn.selection == ChannelSelection::fixed) {
            m_backward.kept = {forward->iterations().fixed, 0};
        }
        m_backward.rounds = ffn.steps;
        m_backward.z = m_z.data();
        m_forward = std::move(forward);
    }

    void keepGroups(const MicroRefineFfn& ffn, DeviceWeights weights)
    {
        auto forward = std::make_unique<ChannelStageAlone>(
            m_device, m_size, PreparedChannelStage(ffn, m_size.dModel, weights, m_device));
        forward->keepChoice(m_chosen.data());
        if (ffn.selection == ChannelSelection::fixed) {
            m_backward.kept = {forward->descriptor().choice.fixed, 0};
        }
        m_forward = std::move(forward);
    }

    const Device& m_device;
    StageSize m_size;
    DeviceGradients m_gradients;
    RowParts m_parts;
    DeviceBuffer<float> m_partial;
    DeviceBuffer<unsigned> m_chosen; ///< [rounds, tokens, words] of top_k
    DeviceBuffer<float> m_z;
    std::unique_ptr<Stage> m_forward;
    RefinementGradients m_backward{};
};

} // namespace

std::unique_ptr<Stage> makeStage(const MicroRefineFfn& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device)
{
    if (ffn.mode == MicroRefineMode::iterative) {
        return std::make_unique<IterativeStage>(ffn, size, weights, device);
    }
    return std::make_unique<ChannelStageAlone>(
        device, size, PreparedChannelStage(ffn, size.dModel, weights, device));
}

std::unique_ptr<BackwardStage> makeBackwardStage(const MicroRefineFfn& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device)
{
    return std::make_unique<MicroRefineBackwardStage>(ffn, size, weights, gradients, device);
}

} // namespace flopsmith::cuda
