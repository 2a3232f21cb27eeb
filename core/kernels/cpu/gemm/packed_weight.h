// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <cstdint>

namespace flopsmith::cpu {

/// A weight matrix packed once into the order in which products read it. BLAS packs in each call,
/// which costs more than a product with few rows.
///
/// Panels have two registers of columns, blocks kInnerAtOnce rows. A block's panels are contiguous,
/// each row by row; the last panel is padded with zeros.
class PackedWeight
{
public:
    /// `weight` [in, out], which is not needed afterwards.
    PackedWeight(std::int64_t in, std::int64_t out, const float* weight, Threads threads);

    /// Zeros, until pack() copies a weight: [in, out], or [out, in] if stored transposed.
    PackedWeight(std::int64_t in, std::int64_t out);
    void pack(const float* weight, Stored stored, Threads threads);

    /// Whether a product of some columns is one of whole panels.
    bool covers(Range columns) const;

    /// y[rows, columns] = x·W on the calling thread; x [·, in], y [·, out]. Calls done(rows,
    /// columns) for each finished piece of y while it is in the cache.
    template <class Done>
    void multiply(const float* x, float* y, Range rows, Range columns, const Done& done) const
    {
        multiply(
            x,
            y,
            rows,
            columns,
            [](const void* context, Range r, Range c) {
                (*static_cast<const Done*>(context))(r, c);
            },
            &done);
    }

private:
    using DoneAt = void (*)(const void* context, Range rows, Range columns);

    void multiply(const float* x,
                  float* y,
                  Range rows,
                  Range columns,
                  DoneAt done,
                  const void* context) const;
    std::int64_t placeOf(std::int64_t row, std::int64_t panel) const;

    std::int64_t m_in;
    std::int64_t m_out;
    Buffer m_values;
};

} // namespace flopsmith::cpu
