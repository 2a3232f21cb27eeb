// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/safetensors/safetensors_header.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace flopsmith {

/// Fills all of `values` with the elements from `first` on, row-major. It is called for one chunk
/// after the other from 0 on; an error stops the writing and is passed on unchanged.
template <class T>
using TensorChunks = std::function<Status(std::uint64_t first, std::span<T> values)>;

/// The source of a tensor's values, which are never in memory twice. Spans are borrowed.
using TensorSource = std::variant<std::span<const float>,
                                  std::span<const double>,
                                  std::span<const std::int64_t>,
                                  std::span<const std::int32_t>,
                                  TensorChunks<float>,
                                  TensorChunks<double>,
                                  TensorChunks<std::int64_t>>;

/// A tensor to be stored: real numbers as F64, F32 or BF16, whole ones as I64 or I32.
struct TensorToWrite
{
    std::string name; ///< of printable ASCII
    TensorType type = TensorType::f32;
    TensorShape shape{};
    TensorSource values{};
};

/// The tensors as a header describes them, without their places. The Error names a tensor whose
/// name is a duplicate or reserved, or whose shape does not fit its values.
Result<std::vector<SafetensorsTensor>> describedTensors(std::span<const TensorToWrite> tensors);

/// How many elements are converted at a time.
inline constexpr std::uint64_t kTensorChunk = 65'536;

/// Receives the bytes of one chunk.
using TensorBytes = std::function<Status(std::string_view bytes)>;

/// Passes all bytes of a described tensor to `take`, chunk by chunk; `rounding` grows as in
/// appendElements().
Status takeTensor(const TensorToWrite& tensor,
                  std::uint64_t elements,
                  const TensorBytes& take,
                  double& rounding);

} // namespace flopsmith
