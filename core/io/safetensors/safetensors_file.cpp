// SPDX-License-Identifier: MIT
#include "core/io/safetensors/safetensors_file.h"

#include "core/base/check.h"
#include "core/base/printable.h"
#include "core/io/safetensors/tensor_values.h"

namespace flopsmith {

Result<SafetensorsFile> SafetensorsFile::open(const std::string& path)
{
    FLOPSMITH_TRY(MappedFile file, MappedFile::open(path));
    FLOPSMITH_TRY(SafetensorsHeader header, parsedSafetensors(file.bytes(), path));
    return SafetensorsFile(path, std::move(file), std::move(header));
}

SafetensorsFile::SafetensorsFile(std::string path, MappedFile file, SafetensorsHeader header)
    : m_path(std::move(path))
    , m_file(std::move(file))
    , m_header(std::move(header))
{
    for (std::size_t i = 0; i < m_header.tensors.size(); ++i) {
        m_places.emplace(m_header.tensors[i].name, i);
    }
}

const SafetensorsTensor* SafetensorsFile::find(std::string_view name) const
{
    const auto found = m_places.find(name);
    return found == m_places.end() ? nullptr : &m_header.tensors[found->second];
}

std::span<const std::byte> SafetensorsFile::bytes(const SafetensorsTensor& tensor) const
{
    return m_file.bytes().subspan(m_header.dataStart + tensor.begin, tensor.end - tensor.begin);
}

template <class T>
Status SafetensorsFile::read(const SafetensorsTensor& tensor,
                             std::uint64_t first,
                             std::span<T> values) const
{
    FLOPSMITH_CHECK(first <= tensor.elements() && values.size() <= tensor.elements() - first);
    const std::uint64_t width = bytesPerElement(tensor.type);
    const auto stored = bytes(tensor).subspan(first * width, values.size() * width);
    const Status status = readTensorValues(tensor.type, stored, values, first);
    return status
        ? status
        : Error{m_path + ": tensor \"" + excerpt(tensor.name) + "\": " + status.error().message};
}

template <class T>
Result<std::vector<T>> SafetensorsFile::readAs(std::string_view name) const
{
    const SafetensorsTensor* tensor = find(name);
    if (tensor == nullptr) {
        return Error{m_path + ": there is no tensor \"" + excerpt(name) + "\" among its "
                     + std::to_string(tensors().size())};
    }
    std::vector<T> values(tensor->elements());
    const Status status = read(*tensor, 0, std::span<T>(values));
    return status ? Result<std::vector<T>>(std::move(values)) : status.error();
}

template Status SafetensorsFile::read(const SafetensorsTensor&,
                                      std::uint64_t,
                                      std::span<float>) const;
template Status SafetensorsFile::read(const SafetensorsTensor&,
                                      std::uint64_t,
                                      std::span<double>) const;
template Status SafetensorsFile::read(const SafetensorsTensor&,
                                      std::uint64_t,
                                      std::span<std::int64_t>) const;
template Result<std::vector<float>> SafetensorsFile::readAs(std::string_view) const;
template Result<std::vector<double>> SafetensorsFile::readAs(std::string_view) const;
template Result<std::vector<std::int64_t>> SafetensorsFile::readAs(std::string_view) const;

} // namespace flopsmith
