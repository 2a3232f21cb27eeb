// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/safetensors/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace flopsmith {

/// Stored elements as numbers of T: float, double or std::int64_t. `bytes` holds as many elements as
/// there are values, at any address. Real numbers become the nearest of T. An error names an element
/// that T does not hold, counted from `first`: one beyond the largest, or, for whole numbers, one
/// with a fraction.
template <class T>
Status readTensorValues(TensorType type,
                        std::span<const std::byte> bytes,
                        std::span<T> values,
                        std::uint64_t first = 0);

extern template Status readTensorValues(TensorType,
                                        std::span<const std::byte>,
                                        std::span<float>,
                                        std::uint64_t);
extern template Status readTensorValues(TensorType,
                                        std::span<const std::byte>,
                                        std::span<double>,
                                        std::uint64_t);
extern template Status readTensorValues(TensorType,
                                        std::span<const std::byte>,
                                        std::span<std::int64_t>,
                                        std::uint64_t);

} // namespace flopsmith
