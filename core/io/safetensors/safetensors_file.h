// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/safetensors/mapped_file.h"
#include "core/io/safetensors/safetensors_header.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flopsmith {

/// A safetensors file whose header is read and checked; tensors are read on request.
class SafetensorsFile
{
public:
    static Result<SafetensorsFile> open(const std::string& path);

    const std::string& path() const { return m_path; }

    /// In the order of their bytes.
    const std::vector<SafetensorsTensor>& tensors() const { return m_header.tensors; }
    const SafetensorsMetadata& metadata() const { return m_header.metadata; }

    /// Null if there is no tensor of that name.
    const SafetensorsTensor* find(std::string_view name) const;

    /// Of one of this file's tensors, as stored and at any address.
    std::span<const std::byte> bytes(const SafetensorsTensor& tensor) const;

    /// Elements of one of this file's tensors from `first` on as float, double or std::int64_t; see
    /// readTensorValues(). There must be as many.
    template <class T>
    Status read(const SafetensorsTensor& tensor, std::uint64_t first, std::span<T> values) const;

    /// All elements, row-major. An error names the file and the tensor.
    template <class T>
    Result<std::vector<T>> readAs(std::string_view name) const;

private:
    SafetensorsFile(std::string path, MappedFile file, SafetensorsHeader header);

    std::string m_path;
    MappedFile m_file;
    SafetensorsHeader m_header;
    std::map<std::string, std::size_t, std::less<>> m_places; ///< in tensors(), by name
};

} // namespace flopsmith
