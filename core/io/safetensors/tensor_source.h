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

/// Gives elements from `first` on, row-major: all of `values` is to be filled. It is asked for one
/// chunk after the other from 0 on; an error stops the writing and is handed on as it is.
template <class T>
using TensorChunks = std::function<Status(std::uint64_t first, std::span<T> values)>;

/// Where the values of a tensor come from, which are never in memory twice. Spans are borrowed.
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

/// The tensors as a header describes them, but for their places. An error names one whose name is
/// taken or not to be used, or whose shape and values do not fit.
Result<std::vector<SafetensorsTensor>> describedTensors(std::span<const TensorToWrite> tensors);

/// How many elements are converted at a time.
inline constexpr std::uint64_t kTensorChunk = 65'536;

/// Takes the bytes of one chunk.
using TensorBytes = std::function<Status(std::string_view bytes)>;

/// Gives all bytes of a described tensor to `take`, chunk by chunk, and lets `rounding` grow as
/// appendElements() does.
Status takeTensor(const TensorToWrite& tensor,
                  std::uint64_t elements,
                  const TensorBytes& take,
                  double& rounding);

} // namespace flopsmith
