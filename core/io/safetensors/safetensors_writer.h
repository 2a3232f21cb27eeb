// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/safetensors/tensor_source.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// What was written, and how far the stored numbers are from those that were given.
struct WrittenSafetensors
{
    std::vector<std::string> files{}; ///< their paths, the index last
    double rounding = 0; ///< the largest relative error; 0: all numbers are exact
    std::string roundedTensor{}; ///< which has it
};

/// Above so many bytes of tensors a folder gets several files.
inline constexpr std::uint64_t kShardBytes = 5'000'000'000;

/// More would need more open files than a program has.
inline constexpr std::size_t kMaxWrittenShards = 500;

/// Writes a safetensors file as a whole, as NewFile does: on failure what stood at the path is as it
/// was. Tensors lie as laidOut() says. Metadata is UTF-8.
Result<WrittenSafetensors> writeSafetensors(const std::string& path,
                                            std::span<const TensorToWrite> tensors,
                                            const SafetensorsMetadata& metadata = {});

/// Writes model.safetensors into a folder that is there, or shards of at most so many bytes of
/// tensors and model.safetensors.index.json. All files get their names when all are written. Refuses
/// to write one kind beside the other, as readers could take the old one.
Result<WrittenSafetensors> writeSafetensorsFolder(const std::string& folder,
                                                  std::span<const TensorToWrite> tensors,
                                                  const SafetensorsMetadata& metadata = {},
                                                  std::uint64_t shardBytes = kShardBytes);

} // namespace flopsmith
