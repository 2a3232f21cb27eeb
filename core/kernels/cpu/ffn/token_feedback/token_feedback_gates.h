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

/// x += z·v. Saves z unless it is null.
inline void refineThroughGates(const GateWeights& weights,
                               const float* phi,
                               const float* v,
                               float* z,
                               float* x,
                               std::size_t count)
{
    inRegisters(count, [&](std::size_t i, const auto& loadAt, const auto& storeAt) {
        const Lanes gate = sigmoid(loadAt(weights.c + i) * loadAt(phi + i) + loadAt(weights.e + i));
        if (z != nullptr) {
            storeAt(z + i, gate);
        }
        storeAt(x + i, loadAt(x + i) + gate * loadAt(v + i));
    });
}

/// Copies an array from memory to one that is not in the cache either.
inline void copyWithPrefetch(const float* from, float* to, std::size_t count)
{
    inRegisters(count, [&](std::size_t i, const auto& loadAt, const auto& storeAt) {
        prefetchNextPage(from + i);
        prefetchNextPage(to + i);
        storeAt(to + i, loadAt(from + i));
    });
}

/// The gates' saved activations.
struct SavedGates
{
    const float* z;
    const float* v;
    const float* phi;
};

/// From dx, the gradient of x + z·v: dv and dGate, the gradient of c·φ + e; adds to the sums for
/// the gradients of c and e.
inline void gatesBackward(const SavedGates& saved,
                          const float* dx,
                          float* dv,
                          float* dGate,
                          float* cSum,
                          float* eSum,
                          std::size_t count)
{
    inRegisters(count, [&](std::size_t i, const auto& loadAt, const auto& storeAt) {
        for (const float* row : {saved.z, saved.v, saved.phi}) {
            prefetchNextPage(row + i);
        }
        const Lanes gradient = loadAt(dx + i);
        const Lanes z = loadAt(saved.z + i);
        const Lanes throughGate = gradient * z;
        const Lanes gate = throughGate * loadAt(saved.v + i) * (1.0F - z);
        storeAt(dv + i, throughGate);
        storeAt(dGate + i, gate);
        storeAt(cSum + i, loadAt(cSum + i) + gate * loadAt(saved.phi + i));
        storeAt(eSum + i, loadAt(eSum + i) + gate);
    });
}

/// dx += own + c·dGate, or without `own` if that is null.
inline void addGradientOfPhi(const float* c,
                             const float* dGate,
                             const float* own,
                             float* dx,
                             std::size_t count)
{
    inRegisters(count, [&](std::size_t i, const auto& loadAt, const auto& storeAt) {
        const Lanes throughGate = loadAt(c + i) * loadAt(dGate + i);
        const Lanes before = own == nullptr ? loadAt(dx + i) : loadAt(dx + i) + loadAt(own + i);
        storeAt(dx + i, before + throughGate);
    });
}

} // namespace flopsmith::cpu
