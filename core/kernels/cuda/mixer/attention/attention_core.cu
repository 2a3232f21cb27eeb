// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer/attention/attention_core.h"

#include "core/kernels/cuda/mixer/attention/attention_core_forward.cuh"

#include <algorithm>

namespace flopsmith::cuda {
namespace {

constexpr int kWidePieces = 16;
constexpr int kNarrowPieces = 8;

std::int64_t blocksWithoutSplits(const CoreSize& size, int packed, int pieces)
{
    return std::int64_t{
               dividedUp(std::int64_t{size.queries} * packed, kTileThreads / kWarp * kPieceRows)}
    * (size.heads / packed) * size.batch * dividedUp(size.valueDim, 8 * pieces);
}

// Few rows do not fill the device: then their keys are shared out over several blocks.
int splitsFor(const Device& device, const CoreSize& size, int packed, int pieces)
{
    constexpr int kBlocksPerMultiprocessor = 2;
    constexpr int kMostSplits = 64;
    const std::int64_t wanted =
        std::int64_t{kBlocksPerMultiprocessor} * device.facts().multiprocessors;
    const std::int64_t blocks = blocksWithoutSplits(size, packed, pieces);
    const int seen = std::min(size.keys(), size.back + 1);
    const int tiles = dividedUp(seen, kTileRows);
    return static_cast<int>(
        std::clamp<std::int64_t>(wanted / blocks, 1, std::min(kMostSplits, tiles)));
}

int sharedBytes(const Device& device, int chunk, int pieces)
{
    const int rows = kTileThreads / kWarp * kPieceRows;
    const int keyStride = chunk + paddingOf(device);
    const int valueStride = 8 * pieces + paddingOf(device);
    return ((rows + kTileRows) * keyStride + kTileRows * valueStride) * bytesOfValue(device);
}

int chunkFor(const Device& device, int keyDim, int pieces)
{
    const auto most = static_cast<int>(sharedBytesForTiles(device));
    int chunk = roundedUp(keyDim, kPieceRows);
    while (chunk > kPieceRows && sharedBytes(device, chunk, pieces) > most) {
        chunk = roundedUp(chunk / 2, kPieceRows);
    }
    return chunk;
}

} // namespace

AttentionCore::AttentionCore(const Device& device, const CoreSize& size)
    : m_device(&device)
    , m_size(size)
    , m_pieces(size.valueDim <= 8 * kNarrowPieces ? kNarrowPieces : kWidePieces)
    , m_packed(size.sharers)
    , m_chunk(chunkFor(device, size.keyDim, m_pieces))
    , m_splits(splitsFor(device, size, m_packed, m_pieces))
    , m_partial(device.memory(),
                m_splits == 1 ? 0
                              : static_cast<std::size_t>(m_splits * size.rows() * size.valueDim))
    , m_largest(device.memory(),
                m_splits == 1 ? 0 : static_cast<std::size_t>(m_splits * size.rows()))
    , m_total(device.memory(), m_largest.size())
{}

void AttentionCore::run(const CoreInput& input,
                        const ScoreSteps& steps,
                        const Destination& out,
                        const RowSums& sums)
{
    const bool split = m_splits > 1;
    const int rows = kTileThreads / kWarp * kPieceRows;
    const ForwardArguments arguments{
        .size = m_size,
        .input = input,
        .steps = steps,
        .out = out,
        .sums = split ? RowSums{m_largest.data(), m_total.data()} : sums,
        .partial = m_partial.data(),
        .packed = m_packed,
        .chunk = m_chunk,
        .keyStride = m_chunk + paddingOf(*m_device),
        .valueStride = 8 * m_pieces + paddingOf(*m_device),
        .rowTiles = dividedUp(std::int64_t{m_size.queries} * m_packed, rows),
        .splits = m_splits,
        .vectors = isPacked(input, m_size)};
    const auto blocks =
        static_cast<unsigned>(blocksWithoutSplits(m_size, m_packed, m_pieces) * m_splits);
    withEngine(*m_device, [&](auto engine) {
        using Engine = decltype(engine);
        launch(*m_device,
               blocks,
               kTileThreads,
               static_cast<std::size_t>(sharedBytes(*m_device, m_chunk, m_pieces)),
               m_pieces == kNarrowPieces ? &attendForward<Engine, kNarrowPieces>
                                         : &attendForward<Engine, kWidePieces>,
               arguments);
    });
    if (split) {
        launch(*m_device,
               static_cast<unsigned>(dividedUp(m_size.rows(), kTileThreads / kWarp)),
               kTileThreads,
               0,
               out.element == Element::float32 ? &combineSplits<float>
                                               : &combineSplits<__nv_bfloat16>,
               arguments,
               sums);
    }
}

} // namespace flopsmith::cuda
