// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/safetensors/safetensors_file.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// More files than any model has, and fewer than a program may map.
inline constexpr std::size_t kMaxShards = 10'000;

/// The tensors of a model, in one safetensors file or several shards of a folder.
class SafetensorsFolder
{
public:
    /// A tensor and the file that contains it.
    struct Place
    {
        const SafetensorsFile* file = nullptr;
        const SafetensorsTensor* tensor = nullptr;
    };

    /// A file, an index ("….safetensors.index.json") with the shards beside it, or a folder with
    /// model.safetensors or else model.safetensors.index.json. A shard that is missing or
    /// contradicts the index is an Error, and so is a tensor that two shards have.
    static Result<SafetensorsFolder> open(const std::string& path);

    /// In the order in which the index names them.
    const std::vector<SafetensorsFile>& files() const { return m_files; }

    /// How many tensors all files have together.
    std::size_t size() const { return m_places.size(); }

    /// Of the first file; shards repeat it.
    const SafetensorsMetadata& metadata() const { return m_files.front().metadata(); }

    std::optional<Place> find(std::string_view name) const;

    /// All elements as float, double or std::int64_t; see SafetensorsFile.
    template <class T>
    Result<std::vector<T>> readAs(std::string_view name) const;

private:
    explicit SafetensorsFolder(std::string path);

    Status openFile(const std::string& path);
    Status openShards(const std::string& index);

    std::string m_path; ///< as it was named
    std::vector<SafetensorsFile> m_files;
    std::map<std::string, std::size_t, std::less<>> m_places; ///< in files(), by the tensor's name
};

} // namespace flopsmith
