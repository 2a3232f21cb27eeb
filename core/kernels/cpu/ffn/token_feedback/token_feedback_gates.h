// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/simd/prefetch.h"
#include "core/kernels/cpu/simd/vector_math.h"

#include <cstddef>

// The gates of token feedback on runs of picked features: z = sigmoid(c·φ + e), of which z·v is
// added to the features. Only the sources of this folder include it, see lanes.h.
namespace flopsmith::cpu {

struct GateWeights
{
    const float* c;
    const float* e;
};

/// x += z·v
inline void refineThroughGates(const GateWeights& weights,
                               const float* phi,
                               const float* v,
                               float* x,
                               std::size_t count)
{
    inRegisters(count, [&](std::size_t i, const auto& loadAt, const auto& storeAt) {
        const Lanes z = sigmoid(loadAt(weights.c + i) * loadAt(phi + i) + loadAt(weights.e + i));
        storeAt(x + i, loadAt(x + i) + z * loadAt(v + i));
    });
}

/// The same where z is kept.
inline void refineKeepingGates(const GateWeights& weights,
                               const float* phi,
                               const float* v,
                               float* z,
                               float* x,
                               std::size_t count)
{
    inRegisters(count, [&](std::size_t i, const auto& loadAt, const auto& storeAt) {
        const Lanes opened =
            sigmoid(loadAt(weights.c + i) * loadAt(phi + i) + loadAt(weights.e + i));
        storeAt(z + i, opened);
        storeAt(x + i, loadAt(x + i) + opened * loadAt(v + i));
    });
}

/// Copies what comes from memory and what nothing has written lately.
inline void copyAhead(const float* from, float* to, std::size_t count)
{
    inRegisters(count, [&](std::size_t i, const auto& loadAt, const auto& storeAt) {
        prefetchNextPage(from + i);
        prefetchNextPage(to + i);
        storeAt(to + i, loadAt(from + i));
    });
}

/// What the forward pass has kept of the gates, long ago.
struct KeptGates
{
    const float* z;
    const float* v;
    const float* phi;
};

/// From dx, the gradient of x + z·v: dv and that of c·φ + e, and what c and e get, added to their
/// sums.
inline void gatesBackward(const KeptGates& kept,
                          const float* dx,
                          float* dv,
                          float* dGate,
                          float* cSum,
                          float* eSum,
                          std::size_t count)
{
    inRegisters(count, [&](std::size_t i, const auto& loadAt, const auto& storeAt) {
        for (const float* row : {kept.z, kept.v, kept.phi}) {
            prefetchNextPage(row + i);
        }
        const Lanes reaching = loadAt(dx + i);
        const Lanes z = loadAt(kept.z + i);
        const Lanes opened = reaching * z;
        const Lanes gate = opened * loadAt(kept.v + i) * (1.0F - z);
        storeAt(dv + i, opened);
        storeAt(dGate + i, gate);
        storeAt(cSum + i, loadAt(cSum + i) + gate * loadAt(kept.phi + i));
        storeAt(eSum + i, loadAt(eSum + i) + gate);
    });
}

/// dx += own + c·dGate, or without `own` if that is null.
inline void addReaching(const float* c,
                        const float* dGate,
                        const float* own,
                        float* dx,
                        std::size_t count)
{
    inRegisters(count, [&](std::size_t i, const auto& loadAt, const auto& storeAt) {
        const Lanes through = loadAt(c + i) * loadAt(dGate + i);
        const Lanes before = own == nullptr ? loadAt(dx + i) : loadAt(dx + i) + loadAt(own + i);
        storeAt(dx + i, before + through);
    });
}

} // namespace flopsmith::cpu
