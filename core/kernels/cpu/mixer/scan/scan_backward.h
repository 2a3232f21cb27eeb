// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/mixer/scan/scan.h"

#include <span>

namespace flopsmith::cpu {

/// Gradients of what a recurrence read.
struct ScanGradients
{
    float* inputs; ///< of x | B | C [T, channels]
    float* steps; ///< of Δ [T, H]
    std::span<float> logDecays; ///< of A_log [H]
    std::span<float> skips; ///< of D [H]
};

/// The backward pass of a scan that is kept.
class ScanBackward
{
public:
    /// Threads share out chunks, or groups of heads where the scan goes token by token.
    ScanBackward(const ScanPlan& plan, Threads threads);

    /// y and its gradient are [T, P].
    void run(const ScanInput& input,
             const Scan& scan,
             const float* y,
             const float* dy,
             const ScanGradients& gradients);

private:
    struct Pass
    {
        const ScanInput& input;
        const Scan& scan;
        const float* y;
        const float* dy;
        const ScanGradients& to;
    };

    /// What one thread computes a chunk in.
    struct Scratch
    {
        ChunkFactors factors;
        float* mixing; ///< M [c, c]
        float* products; ///< dM, then X [c, c]
        float* dScores; ///< [c, c]
        float* dU; ///< [c, h]
        float* rows; ///< [c, h]
        float* states; ///< of a chunk's tokens and before them [c + 1, h, N]
    };

    static std::size_t scratchFloats(const ScanPlan& plan);
    Scratch scratchOf(int thread);
    float* stateGradient(std::int64_t sequence, std::int64_t chunk, std::int64_t head);
    float* partialOf(std::int64_t sequence, std::int64_t chunk);

    void stateGradients(const Pass& pass,
                        std::int64_t sequence,
                        std::int64_t head,
                        const Scratch& s);
    void chunkBackward(const Pass& pass,
                       std::int64_t sequence,
                       std::int64_t index,
                       std::int64_t group,
                       const Scratch& s);
    void headOfChunk(const Pass& pass,
                     std::int64_t sequence,
                     std::int64_t index,
                     std::int64_t head,
                     const Scratch& s);
    void stepsOfChunk(const Pass& pass,
                      std::int64_t sequence,
                      std::int64_t index,
                      std::int64_t head,
                      const Scratch& s);
    void tokensBackward(const Pass& pass,
                        std::int64_t sequence,
                        std::int64_t head,
                        const Scratch& s);
    void tokenOfHead(const Pass& pass,
                     std::int64_t sequence,
                     std::int64_t t,
                     std::int64_t head,
                     const float* before,
                     const float* after,
                     float* dState,
                     float decay);
    void sumPartials(const Pass& pass);

    ScanPlan m_plan;
    Threads m_threads;
    Buffer m_dStates; ///< of the state after each chunk [B, chunks, H, h, N]
    Buffer m_partials; ///< of A and D [B, chunks, 2, H]
    Buffer m_scratch; ///< per thread
};

} // namespace flopsmith::cpu
