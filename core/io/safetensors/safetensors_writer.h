// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/safetensors/tensor_source.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// The written file, and the largest error of its stored numbers.
struct WrittenSafetensors
{
    std::vector<std::string> files{}; ///< their paths, the index last
    double rounding = 0; ///< the largest relative error; 0: all numbers are exact
    std::string roundedTensor{}; ///< which has it
};

/// A folder with more bytes of tensors gets several files.
inline constexpr std::uint64_t kShardBytes = 5'000'000'000;

/// More would need more open files than a program has.
inline constexpr std::size_t kMaxWrittenShards = 500;

/// Writes a safetensors file as a whole, like NewFile: on failure an existing file stays as it is.
/// Tensors are placed as in laidOut(). Metadata is UTF-8.
Result<WrittenSafetensors> writeSafetensors(const std::string& path,
                                            std::span<const TensorToWrite> tensors,
                                            const SafetensorsMetadata& metadata = {});

/// Writes model.safetensors into an existing folder, or shards of at most so many bytes of tensors
/// and model.safetensors.index.json. All files get their names when all are written. An Error if
/// the folder has the other kind, because readers could take the old one.
Result<WrittenSafetensors> writeSafetensorsFolder(const std::string& folder,
                                                  std::span<const TensorToWrite> tensors,
                                                  const SafetensorsMetadata& metadata = {},
                                                  std::uint64_t shardBytes = kShardBytes);

} // namespace flopsmith
