// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/ffn/channels/channel_pass.cuh"

#include "core/kernels/cuda/block/block.cuh"
#include "core/kernels/cuda/block/elements.cuh"

namespace flopsmith::cuda {
namespace {

constexpr int kMaxGroups = 256;

__device__ float sumOfTerms(const ChannelPass& pass, std::int64_t at, int channel)
{
    float sum = 0.0F;
    for (int i = 0; i < pass.termCount; ++i) {
        sum = fmaf(pass.terms[i].gate(channel), pass.terms[i].values[at], sum);
    }
    return sum;
}

// A pass whose channels are all fixed runs element by element. Loop bounds are constants, so that
// the arrays stay in registers.
struct FixedPass
{
    ChannelPass pass;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        const std::int64_t at = row * pass.columns + column;
        const bool needsX = pass.sequential || pass.stageCount > 0;
        Pack<float, N> x{};
        if (needsX) {
            x = load<N>(pass.x + at);
        }
        Pack<float, N> sums{};
        addTerms<N>(at, column, sums);
        for (int i = 0; i < N; ++i) {
            sums.at[i] = withStages(static_cast<int>(column) + i, x.at[i], sums.at[i]);
        }
        if (pass.minus != nullptr) {
            const Pack<float, N> minus = load<N>(pass.minus + at);
            for (int i = 0; i < N; ++i) {
                sums.at[i] -= minus.at[i];
            }
        }
        store<N>(pass.to + at, sums);
    }

    template <int N>
    __device__ void addTerms(std::int64_t at, std::int64_t column, Pack<float, N>& sums) const
    {
        for (int i = 0; i < ChannelPass::kMaxTerms; ++i) {
            if (i < pass.termCount) {
                const Pack<float, N> values = load<N>(pass.terms[i].values + at);
                for (int k = 0; k < N; ++k) {
                    sums.at[k] = fmaf(pass.terms[i].gate(column + k), values.at[k], sums.at[k]);
                }
            }
        }
    }

    __device__ float withStages(int channel, float x, float terms) const
    {
        float sum = pass.sequential ? x + terms : terms;
        for (int i = 0; i < ChannelPass::kMaxStages; ++i) {
            if (i < pass.stageCount && pass.stages[i].choice.fixed.has(0, channel)) {
                sum += pass.stages[i].gated(channel, pass.sequential ? sum : x);
            }
        }
        return sum;
    }
};

// Finds the thresholds of all groups of a row: one warp per group, or the whole block per group if
// groups are few and large.
__device__ void chooseInGroups(const ChannelChoice& choice,
                               const float* row,
                               int columns,
                               BlockTeam& block,
                               Threshold* thresholds)
{
    constexpr int kMaxOfWarp = 1024;
    const int warps = block.size() / kWarp;
    const int sizeOfGroups = columns / choice.groups;
    const auto chooseIn = [&](auto& team, int group) {
        const int start = choice.groupStart(group, columns);
        const int size = choice.groupStart(group + 1, columns) - start;
        const auto key = [&](int place) { return magnitudeKey(row[start + place]); };
        const Threshold found = thresholdOfLargest(team, size, choice.keptOfGroups[group], key);
        if (team.thread() == 0) {
            thresholds[group] = found;
        }
    };
    if (choice.groups >= warps || (choice.groups > 1 && sizeOfGroups <= kMaxOfWarp)) {
        for (int group = block.thread() / kWarp; group < choice.groups; group += warps) {
            WarpTeam team;
            chooseIn(team, group);
        }
    } else {
        for (int group = 0; group < choice.groups; ++group) {
            chooseIn(block, group);
        }
    }
    __syncthreads();
}

__device__ bool isKept(const ChannelChoice& choice,
                       const float* row,
                       int channel,
                       int columns,
                       const Threshold* thresholds)
{
    if (choice.fixed.words != nullptr) {
        return choice.fixed.has(0, channel);
    }
    const int group = choice.groupOf(channel, columns);
    const int place = channel - choice.groupStart(group, columns);
    return thresholds[group].keeps(magnitudeKey(row[channel]), place);
}

// One block per row. Stages read `row` and results accumulate in `sums`, the same array in
// sequential mode. Each thread owns the channels thread + i·threads; only the selection reads
// others.
__global__ void passOverRows(const __grid_constant__ ChannelPass pass, float* rowMemory)
{
    __shared__ Threshold thresholds[kMaxGroups];
    const std::int64_t token = blockIdx.x;
    const int columns = pass.columns;
    const int threads = static_cast<int>(blockDim.x);
    const std::int64_t at = token * columns;
    BlockTeam block;
    float* row = rowMemory == nullptr ? sharedMemory<float>() : rowMemory + 2 * at;
    float* sums = pass.sequential ? row : row + columns;
    for (int j = block.thread(); j < columns; j += threads) {
        const float x = pass.x[at + j];
        const float terms = sumOfTerms(pass, at + j, j);
        row[j] = pass.sequential ? x + terms : x;
        if (!pass.sequential) {
            sums[j] = terms;
        }
    }
    for (int i = 0; i < pass.stageCount; ++i) {
        const ChannelStage& stage = pass.stages[i];
        if (stage.choice.fixed.words == nullptr) {
            __syncthreads();
            chooseInGroups(stage.choice, row, columns, block, thresholds);
        }
        const auto kept = [&](int j) { return isKept(stage.choice, row, j, columns, thresholds); };
        if (stage.chosen != nullptr) {
            const std::int64_t words = (columns + kWordBits - 1) / kWordBits;
            writeBits(stage.chosen + token * words, columns, kept);
        }
        for (int j = block.thread(); j < columns; j += threads) {
            if (kept(j)) {
                sums[j] += stage.gated(j, row[j]);
            }
        }
    }
    for (int j = block.thread(); j < columns; j += threads) {
        const float minus = pass.minus == nullptr ? 0.0F : pass.minus[at + j];
        pass.to[at + j] = sums[j] - minus;
    }
}

std::size_t bytesOfRow(int columns)
{
    return 2 * sizeof(float) * static_cast<std::size_t>(columns);
}

bool fitsOnChip(const Device& device, int columns)
{
    constexpr std::size_t kOther = std::size_t{4} << 10; // thresholds and sums over the block
    return bytesOfRow(columns) + kOther <= device.facts().sharedBytesPerBlock;
}

bool allFixed(const ChannelPass& pass)
{
    for (int i = 0; i < pass.stageCount; ++i) {
        if (pass.stages[i].choice.fixed.words == nullptr) {
            return false;
        }
    }
    return true;
}

} // namespace

std::size_t rowMemoryBytes(const Device& device, std::int64_t rows, int columns)
{
    return fitsOnChip(device, columns) ? 0 : static_cast<std::size_t>(rows) * bytesOfRow(columns);
}

void run(const Device& device, const ChannelPass& pass, float* rowMemory)
{
    if (allFixed(pass)) {
        forEachElement(device, pass.rows, pass.columns, FixedPass{pass});
        return;
    }
    const bool onChip = fitsOnChip(device, pass.columns);
    constexpr int kValuesPerThread = 4;
    launch(device,
           static_cast<unsigned>(pass.rows),
           static_cast<unsigned>(threadsForRow(dividedUp(pass.columns, kValuesPerThread))),
           onChip ? bytesOfRow(pass.columns) : 0,
           &passOverRows,
           pass,
           onChip ? nullptr : rowMemory);
}

DeviceBuffer<unsigned> listAsBits(const Device& device,
                                  const std::vector<int>& channels,
                                  int columns)
{
    std::vector<unsigned> words(static_cast<std::size_t>(wordsOf(columns)));
    for (const int channel : channels) {
        words[static_cast<std::size_t>(channel / kWordBits)] |= 1U << (channel % kWordBits);
    }
    return {device.memory(), words};
}

} // namespace flopsmith::cuda
