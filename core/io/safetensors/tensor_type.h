// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace flopsmith {

/// The element type of a stored tensor. `boolean` takes a byte.
enum class TensorType { f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8, boolean };

std::uint64_t bytesPerElement(TensorType type);

bool isFloatingPoint(TensorType type);

/// As a safetensors file names it: "F32", "BOOL".
std::string_view nameOf(TensorType type);

/// Nothing for an unknown name.
std::optional<TensorType> tensorTypeNamed(std::string_view name);

/// All names, for messages: "F64, F32, …".
std::string tensorTypeNames();

} // namespace flopsmith
