// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace flopsmith {

/// Sizes of a stored tensor, the slowest index first. No sizes at all: one number.
using TensorShape = std::vector<std::int64_t>;

/// As many as PyTorch takes.
inline constexpr std::size_t kMaxTensorDimensions = 64;

/// The number of elements in the shape; nothing if a size is negative or if their bytes, so many
/// each, exceed 64 bits.
std::optional<std::uint64_t> elementsOf(const TensorShape& shape, std::uint64_t elementBytes);

/// "[2, 3]".
std::string shapeText(const TensorShape& shape);

} // namespace flopsmith
