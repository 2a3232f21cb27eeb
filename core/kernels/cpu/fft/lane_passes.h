// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/simd/pair_order.h"
#include "core/kernels/cpu/simd/streaming_store.h"

#include <cstddef>
#include <vector>

namespace flopsmith::cpu {

/// exp(−2πi·numerator/denominator) as (re, im), rounded once.
void setRoot(float* to, std::size_t numerator, std::size_t denominator);

/// Complex transforms of one length in every lane, by Stockham's passes of radix 8, 6, 5, 4, 3 and
/// 2. A number is a register of real parts and one of imaginary parts. Not scaled.
class LanePasses
{
public:
    /// Whether the length is at least 2 and has no prime factors but 2, 3 and 5.
    static bool supports(std::size_t length);

    /// `length` must be supported.
    explicit LanePasses(std::size_t length);

    /// The transform of `from` [length], in one of the ping-pong buffers. `from` may be `pong`.
    const float* run(const float* from, float* ping, float* pong) const;

    /// The same into `to`, with real and imaginary parts swapped. With streaming stores `to` begins
    /// at a register's boundary, and fenceStreamingStores() is up to the caller.
    void runSwapped(const float* from,
                    float* ping,
                    float* pong,
                    float* to,
                    StoreKind storeKind) const;

private:
    struct Pass
    {
        int radix;
        std::size_t length; ///< of the transforms that this pass splits
        std::size_t stride; ///< number of them side by side
        std::size_t twiddles; ///< offset of its factors
    };

    template <StoreKind storeKind>
    void runPass(const Pass& each, const float* from, float* to, PairOrder order) const;

    std::vector<Pass> m_passes;
    Buffer m_twiddles;
};

} // namespace flopsmith::cpu
