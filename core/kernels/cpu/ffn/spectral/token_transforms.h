// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/fft/fft_plan.h"
#include "core/kernels/cpu/fft/row_fft.h"
#include "core/kernels/cpu/stage.h"

#include <cstddef>
#include <memory>
#include <optional>

namespace flopsmith::cpu {

/// Transforms of `rows` tokens at once, by FFTW's plans or by our own.
struct TransformPair
{
    int rows = 0; ///< 0: no pair
    int length = 0;
    std::size_t bins = 0; ///< computed and read, from 0 on; the others are 0
    std::optional<FftPlan> forwardPlan{};
    std::optional<FftPlan> inversePlan{};
    std::shared_ptr<const RowFft> row{};

    /// x [rows, length] → the first bins of spectra [rows, F]. `scratch` holds
    /// TokenTransforms::scratchSize() floats. `next`: the x of the next call,
    /// which is prefetched, or null.
    void forward(const float* x, float* spectra, float* scratch, const float* next = nullptr) const;

    /// The first bins of spectra, which are destroyed, → y [rows, length]. `storeKind` is a hint;
    /// fenceStreamingStores() is up to the caller.
    void inverse(float* spectra,
                 float* y,
                 float* scratch,
                 StoreKind storeKind = StoreKind::cached) const;
};

/// The transforms of a block of tokens. If the length allows it, a single token fills the registers
/// (RowFft). FFTW transforms the others: short ones in batches, which hides the cost of a call;
/// long ones one by one, since batches gain nothing from d = 768 on (measured) and leave the
/// first-level cache.
class TokenTransforms
{
public:
    /// `bins` of each spectrum are computed, and read by the inverse transform.
    static Result<TokenTransforms> create(const StageSize& size, std::size_t bins);

    /// The largest number of tokens that are transformed together, and the floats that this takes.
    static int batchOf(const StageSize& size);
    static std::size_t scratchSize(const StageSize& size);

    /// work(pair, first token, whether these are the last) for all of `tokens`, pair.rows of them
    /// at a time.
    template <class Work>
    void forEach(int tokens, const Work& work) const
    {
        int first = 0;
        for (const TransformPair* pair : {&m_batch, &m_single}) {
            for (; pair->rows > 0 && first + pair->rows <= tokens; first += pair->rows) {
                work(*pair, first, first + pair->rows == tokens);
            }
        }
    }

private:
    TokenTransforms() = default;

    TransformPair m_batch;
    TransformPair m_single;
};

} // namespace flopsmith::cpu
