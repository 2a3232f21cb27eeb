// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/safetensors/tensor_type.h"

#include <cstdint>
#include <span>
#include <string>

namespace flopsmith {

/// Appends numbers as a tensor of the type stores them: float and double as F64, F32 or BF16, rounded
/// to the nearest, of two the even one; std::int64_t and std::int32_t as I64 or I32. An error names an
/// element that the type does not hold, counted from `first`, or says that numbers of T are not stored
/// so. `rounding` grows to the largest relative error; numbers below the smallest normal one of the
/// type count as if they were that.
template <class T>
Status appendElements(std::string& bytes,
                      std::span<const T> values,
                      TensorType type,
                      std::uint64_t first,
                      double& rounding);

extern template Status appendElements(std::string&,
                                      std::span<const float>,
                                      TensorType,
                                      std::uint64_t,
                                      double&);
extern template Status appendElements(std::string&,
                                      std::span<const double>,
                                      TensorType,
                                      std::uint64_t,
                                      double&);
extern template Status appendElements(std::string&,
                                      std::span<const std::int64_t>,
                                      TensorType,
                                      std::uint64_t,
                                      double&);
extern template Status appendElements(std::string&,
                                      std::span<const std::int32_t>,
                                      TensorType,
                                      std::uint64_t,
                                      double&);

} // namespace flopsmith
