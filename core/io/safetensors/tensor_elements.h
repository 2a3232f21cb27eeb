// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/safetensors/tensor_type.h"

#include <cstdint>
#include <span>
#include <string>

namespace flopsmith {

/// Appends numbers in a tensor's stored type: float and double as F64, F32 or BF16, rounded to
/// nearest, ties to even; std::int64_t and std::int32_t as I64 or I32. The Error names an element
/// that the type cannot hold, counted from `first`, or says that T cannot be stored in this type.
/// `rounding` grows to the largest relative error; a number below the type's smallest normal one is
/// compared with that.
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
