// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/bf16/bf16_tiles.h"

#include "core/base/check.h"

#if defined(__x86_64__) && defined(__linux__)
#define FLOPSMITH_TILES
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#endif

namespace flopsmith::cpu {

#ifdef FLOPSMITH_TILES

namespace {

bool processorHasTiles()
{
    constexpr unsigned kBfloat16 = 1U << 22;
    constexpr unsigned kTiles = 1U << 24;
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (d & kBfloat16) != 0
        && (d & kTiles) != 0;
}

// The system saves these large registers only for a process that requests it.
bool systemPermitsTiles()
{
    constexpr long kRequestPermission = 0x1023; // ARCH_REQ_XCOMP_PERM
    constexpr long kTileData = 18;
    return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

// Eight tiles of 16 rows of 64 bytes, in the order that the processor reads.
struct TileShapes
{
    std::uint8_t palette = 1;
    std::uint8_t startRow = 0;
    std::array<std::uint8_t, 14> reserved{};
    std::array<std::uint16_t, 16> bytesInRow{64, 64, 64, 64, 64, 64, 64, 64};
    std::array<std::uint8_t, 16> rows{16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileShapes) == 64);

constexpr std::int64_t kTile = BlockSize::kRowGrain * BlockSize::kInnerGrain; // elements
constexpr std::int64_t kPanelStep = BlockSize::kInnerGrain * BlockSize::kPanel;
constexpr std::int64_t kSecondHalf = BlockSize::kPanel; // of a pair of rows
constexpr int kLine = 64; // bytes
constexpr int kPanelRow = 2 * kLine; // bytes of a pair of rows
constexpr std::int64_t kHalfPanel = BlockSize::kPanel / 2;
constexpr int kSumRow = sizeof(float) * BlockSize::kPanel;

// Prefetches some cache lines per step, in turns from several places, each of which is a stream
// from memory.
class PrefetchStreams
{
public:
    static constexpr std::int64_t kStreams = 8;

    PrefetchStreams(const void* first, std::int64_t bytes, std::int64_t steps)
        : m_first(static_cast<const char*>(first))
        , m_apart(bytes / kStreams)
        , m_lines((bytes / kLine + steps - 1) / steps)
    {}

    void prefetch()
    {
        for (std::int64_t i = 0; i < m_lines; ++i) {
            __builtin_prefetch(
                m_first + m_now % kStreams * m_apart + m_now / kStreams * kLine, 0, 2);
            ++m_now;
        }
    }

private:
    const char* m_first;
    std::int64_t m_apart;
    std::int64_t m_lines;
    std::int64_t m_now = 0;
};

// One or two tiles of rows by a panel: sums in tiles 0 to 3, rows of a in 4 and 5, columns of the
// panel in 6 and 7. With many rows, each read once per panel, non-temporal loads of a keep the
// panel in the first-level cache.
template <int TileRows>
__attribute__((target("amx-tile,amx-bf16"))) void multiplyRows(const Bfloat16* a,
                                                               const Bfloat16* panel,
                                                               std::int64_t steps,
                                                               PrefetchStreams& next,
                                                               float* c,
                                                               Into into)
{
    constexpr bool kTwo = TileRows == 2;
    constexpr std::int64_t kSums = TileRows * BlockSize::kRowGrain * BlockSize::kPanel;
    const Bfloat16* below = a + steps * kTile;
    float* cBelow = c + BlockSize::kRowGrain * BlockSize::kPanel;
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    if (into == Into::accumulate) {
        _tile_loadd(0, c, kSumRow);
        _tile_loadd(1, c + kHalfPanel, kSumRow);
        if constexpr (kTwo) {
            _tile_loadd(2, cBelow, kSumRow);
            _tile_loadd(3, cBelow + kHalfPanel, kSumRow);
        }
    }
    PrefetchStreams nextSums(
        c + kSums, kTwo && into == Into::accumulate ? kSums * sizeof(float) : 0, steps);
    for (std::int64_t k = 0; k < steps; ++k) {
        if constexpr (kTwo) {
            _tile_stream_loadd(4, a + k * kTile, kLine);
            _tile_stream_loadd(5, below + k * kTile, kLine);
        } else {
            _tile_loadd(4, a + k * kTile, kLine);
        }
        _tile_loadd(6, panel + k * kPanelStep, kPanelRow);
        _tile_loadd(7, panel + k * kPanelStep + kSecondHalf, kPanelRow);
        next.prefetch();
        nextSums.prefetch();
        _tile_dpbf16ps(0, 4, 6);
        _tile_dpbf16ps(1, 4, 7);
        if constexpr (kTwo) {
            _tile_dpbf16ps(2, 5, 6);
            _tile_dpbf16ps(3, 5, 7);
        }
    }
    _tile_stored(0, c, kSumRow);
    _tile_stored(1, c + kHalfPanel, kSumRow);
    if constexpr (kTwo) {
        _tile_stored(2, cBelow, kSumRow);
        _tile_stored(3, cBelow + kHalfPanel, kSumRow);
    }
}

} // namespace

bool hasTiles()
{
    static const bool kHas = processorHasTiles() && systemPermitsTiles();
    return kHas;
}

__attribute__((target("amx-tile,amx-bf16"))) void multiplyByTiles(const BlockSize& size,
                                                                  const Bfloat16* a,
                                                                  const Bfloat16* panel,
                                                                  const Bfloat16* next,
                                                                  float* c,
                                                                  Into into)
{
    alignas(64) static constexpr TileShapes kShapes;
    // The compiler does not know that tile loads read memory.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    _tile_loadconfig(&kShapes);
    const std::int64_t steps = size.inner / BlockSize::kInnerGrain;
    const std::int64_t tileRows = (size.rows + BlockSize::kRowGrain - 1) / BlockSize::kRowGrain;
    const std::int64_t passes = (tileRows + 1) / 2;
    PrefetchStreams ahead(
        next, steps * kPanelStep * static_cast<std::int64_t>(sizeof(Bfloat16)), passes * steps);
    const auto multiply = [&](std::int64_t row, const auto& rows) {
        rows(a + row * steps * kTile,
             panel,
             steps,
             ahead,
             c + row * BlockSize::kRowGrain * BlockSize::kPanel,
             into);
    };
    std::int64_t row = 0;
    for (; row + 2 <= tileRows; row += 2) {
        multiply(row, multiplyRows<2>);
    }
    if (row < tileRows) {
        multiply(row, multiplyRows<1>);
    }
    _tile_release();
}

#else

bool hasTiles()
{
    return false;
}

void multiplyByTiles(const BlockSize& /*size*/,
                     const Bfloat16* /*a*/,
                     const Bfloat16* /*panel*/,
                     const Bfloat16* /*next*/,
                     float* /*c*/,
                     Into /*into*/)
{
    FLOPSMITH_CHECK(hasTiles());
}

#endif

} // namespace flopsmith::cpu
