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

/// Tensors laid out from byte 0 on, wide elements before narrow ones and otherwise in their order:
/// so each is aligned, as PyTorch requires when it maps the file.
std::vector<SafetensorsTensor> laidOut(std::vector<SafetensorsTensor> tensors);

/// The start of a file with these tensors: the length of the header and the header, padded with
/// blanks so that the data starts at a multiple of 8. An Error if it is too long to be read again.
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

/// The index from tensors to shards.
std::string shardIndex(const std::vector<std::vector<SafetensorsTensor>>& shards);

} // namespace flopsmith
