// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/safetensors/safetensors_header.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// Tensors one behind the other from byte 0 on, wide elements before narrow ones and else in their
/// order: so each is aligned, as PyTorch wants it of those that it maps.
std::vector<SafetensorsTensor> laidOut(std::vector<SafetensorsTensor> tensors);

/// What a file of such tensors starts with: the length of the header and the header, which ends in
/// blanks so that the data starts at a multiple of 8. An error if it is too long to be read again.
Result<std::string> safetensorsStart(std::span<const SafetensorsTensor> tensors,
                                     const SafetensorsMetadata& metadata);

/// Tensors in their order as the files of a folder: a file has at most so many bytes of tensors, or
/// one larger tensor. There is at least one.
std::vector<std::vector<SafetensorsTensor>> shardsOf(std::vector<SafetensorsTensor> tensors,
                                                     std::uint64_t shardBytes);

/// The names in a folder of safetensors.
inline constexpr const char* kSafetensorsName = "model.safetensors";
inline constexpr const char* kSafetensorsIndexName = "model.safetensors.index.json";

/// "model-00001-of-00003.safetensors" of shard 0.
std::string shardName(std::size_t shard, std::size_t shards);

/// The index that says in which shard each tensor is.
std::string shardIndex(const std::vector<std::vector<SafetensorsTensor>>& shards);

} // namespace flopsmith
