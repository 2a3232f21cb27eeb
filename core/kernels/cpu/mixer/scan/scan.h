// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/mixer/scan/scan_plan.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <span>

namespace flopsmith::cpu {

/// What the recurrence reads.
struct ScanInput
{
    const float* inputs; ///< x | B | C [T, channels]
    const float* steps; ///< Δ [T, H]
    const float* decays; ///< A [H]
    const float* skips; ///< D [H]
    std::span<const float> cached; ///< states [B, H, h, N]; empty: zeros
};

/// One head's factors in a chunk, in scratch of a thread.
struct ChunkFactors
{
    float* sums; ///< of Δ·A [c]
    float* carried; ///< e^s_i [c]
    float* toEnd; ///< e^(s_c − s_j) [c]
    float* u; ///< Δ·x [c, h]
    float* pairs; ///< e^(s_i − s_j) for j ≤ i, 0 above [c, c]
    float* product; ///< scratch [c, h]

    /// Floats of all of them.
    static std::size_t floats(const ScanPlan& plan);
    static ChunkFactors in(const ScanPlan& plan, float* scratch);

    /// The sums and e^s_i alone.
    void fillSums(const ScanPlan& plan,
                  const ScanInput& input,
                  std::int64_t first,
                  std::int64_t length,
                  std::int64_t head) const;

    /// All but `product`, of the chunk that begins with a token.
    void fill(const ScanPlan& plan,
              const ScanInput& input,
              std::int64_t first,
              std::int64_t length,
              std::int64_t head) const;
};

/// The recurrence S ← a·S + (Δ·x)·Bᵀ, y = S·C + D·x of all heads: token by token, or chunk by chunk
/// as products of matrices.
class Scan
{
public:
    /// Threads share out heads. A scan that is kept keeps the state after every chunk.
    Scan(const ScanPlan& plan, Threads threads, bool isKept);

    /// y [T, P]
    void run(const ScanInput& input, float* y);

    /// C·Bᵀ of a group's chunk [length, length], above the diagonal too; only of the chunked form.
    const float* scores(std::int64_t sequence, std::int64_t chunk, std::int64_t group) const;

    /// One head's state after a chunk, if it is kept; before the first chunk there is none: null.
    const float* stateAfter(std::int64_t sequence, std::int64_t chunk, std::int64_t head) const;

private:
    std::int64_t scoresAt(std::int64_t sequence, std::int64_t chunk, std::int64_t group) const;
    std::int64_t keptAt(std::int64_t sequence, std::int64_t chunk, std::int64_t head) const;
    void computeScores(const ScanInput& input);
    void runHead(const ScanInput& input,
                 std::int64_t sequence,
                 std::int64_t head,
                 float* scratch,
                 float* y);
    void runTokens(const ScanInput& input,
                   std::int64_t first,
                   std::int64_t length,
                   std::int64_t head,
                   float* state,
                   float* y) const;
    void runChunk(const ScanInput& input,
                  std::int64_t sequence,
                  std::int64_t index,
                  std::int64_t head,
                  const ChunkFactors& factors,
                  float* state,
                  float* y) const;

    ScanPlan m_plan;
    Threads m_threads;
    bool m_isKept;
    Buffer m_scores; ///< [B, chunks, G, c, c]
    Buffer m_working; ///< states [B, H, h, N]
    Buffer m_kept; ///< [B, chunks, H, h, N]
    Buffer m_scratch; ///< per thread
};

} // namespace flopsmith::cpu
