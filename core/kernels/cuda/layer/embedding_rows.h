// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/stage.h"
#include "core/layer/embedding.h"

#include <optional>

namespace flopsmith::cuda {

/// The position rows that are added to the tokens: a learned table, or a fixed one computed on the
/// host for the positions of a sequence.
class PositionRows
{
public:
    /// `learned` is the table's tensor, if there is one.
    PositionRows(const Device& device,
                 const Embedding& embedding,
                 const Shape& shape,
                 int width,
                 std::optional<DeviceSpan<const float>> learned);

    const float* table() const { return m_table; } ///< [rows(), width]; null if there is none
    std::int64_t rows() const { return m_rows; }
    std::int64_t first() const { return m_first; } ///< row of the first token; the table repeats

private:
    const float* m_table = nullptr;
    std::int64_t m_rows = 1;
    std::int64_t m_first = 0;
    DeviceBuffer<float> m_fixed;
};

/// gradient[r] = Σ of the rows of `from` [batch·period, width] with (first + place) mod rows = r,
/// where place is the index within the period; 0 if there are none. Enqueued.
void sumByPosition(const Device& device,
                   const float* from,
                   std::int64_t batch,
                   std::int64_t period,
                   std::int64_t first,
                   std::int64_t width,
                   std::int64_t rows,
                   float* gradient);

/// gradient[r] = Σ over the batch of row r of each period, for r < `rows`.
void sumFirstRows(const Device& device,
                  const float* from,
                  std::int64_t batch,
                  std::int64_t period,
                  std::int64_t rows,
                  std::int64_t width,
                  float* gradient);

} // namespace flopsmith::cuda
