// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/safetensors/tensor_shape.h"
#include "core/io/safetensors/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// One tensor of a safetensors file: row-major, little-endian.
struct SafetensorsTensor
{
    std::string name;
    TensorType type = TensorType::f32;
    TensorShape shape{};
    std::uint64_t begin = 0; ///< its bytes, counted from the start of the data
    std::uint64_t end = 0;

    std::uint64_t elements() const { return (end - begin) / bytesPerElement(type); }

    bool operator==(const SafetensorsTensor&) const = default;
};

using SafetensorsMetadata = std::map<std::string, std::string>;

/// The key of the metadata, reserved and so no name of a tensor.
inline constexpr const char* kMetadataKey = "__metadata__";

/// Limits of the format's own library, and of this reader.
inline constexpr std::size_t kMaxSafetensorsHeader = 100'000'000; ///< bytes
inline constexpr std::size_t kMaxSafetensors = 1'000'000; ///< tensors

/// The bytes before the data: the header's length, and its text.
struct SafetensorsHeader
{
    std::vector<SafetensorsTensor> tensors{}; ///< in the order of their bytes
    SafetensorsMetadata metadata{};
    std::uint64_t dataStart = 0; ///< in the file

    bool operator==(const SafetensorsHeader&) const = default;
};

/// The header of a whole file. The Error names `source` and the tensor: not a safetensors file or
/// truncated, duplicate names or keys, unknown types, shapes that do not fit their bytes, and bytes
/// of the data that belong to no tensor or to two.
Result<SafetensorsHeader> parsedSafetensors(std::span<const std::byte> bytes,
                                            const std::string& source);

} // namespace flopsmith
