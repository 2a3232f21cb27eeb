// SPDX-License-Identifier: MIT
#include "core/io/safetensors/tensor_source.h"

#include "core/base/printable.h"
#include "core/io/safetensors/tensor_elements.h"

#include <algorithm>
#include <optional>
#include <set>

namespace flopsmith {
namespace {

Error tensorError(const std::string& name, const std::string& why)
{
    return {"tensor \"" + excerpt(name) + "\": " + why};
}

bool isPrintableAscii(char c)
{
    return c >= ' ' && c <= '~';
}

// The number of values in memory; nothing if they are produced on request.
struct ValuesThere
{
    template <class T>
    std::optional<std::uint64_t> operator()(std::span<T> values) const
    {
        return values.size();
    }

    template <class T>
    std::optional<std::uint64_t> operator()(const TensorChunks<T>& /*chunks*/) const
    {
        return std::nullopt;
    }
};

Result<SafetensorsTensor> describedTensor(const TensorToWrite& tensor)
{
    if (tensor.name.empty() || tensor.name == kMetadataKey
        || !std::ranges::all_of(tensor.name, isPrintableAscii)) {
        return tensorError(tensor.name,
                           "a name is printable ASCII and not " + std::string(kMetadataKey));
    }
    const std::uint64_t width = bytesPerElement(tensor.type);
    const std::optional<std::uint64_t> elements = elementsOf(tensor.shape, width);
    if (!elements || tensor.shape.size() > kMaxTensorDimensions) {
        return tensorError(tensor.name,
                           "no tensor has the shape " + excerpt(shapeText(tensor.shape)));
    }
    const std::optional<std::uint64_t> there = std::visit(ValuesThere{}, tensor.values);
    if (there.value_or(*elements) != *elements) {
        return tensorError(tensor.name,
                           "shape " + shapeText(tensor.shape) + " needs "
                               + std::to_string(*elements) + " values, not "
                               + std::to_string(*there));
    }
    return SafetensorsTensor{.name = tensor.name,
                             .type = tensor.type,
                             .shape = tensor.shape,
                             .begin = 0,
                             .end = *elements * width};
}

// Converts the values of any source.
class ChunkTaker
{
public:
    ChunkTaker(const TensorToWrite& tensor,
               std::uint64_t elements,
               const TensorBytes& take,
               double& rounding)
        : m_tensor(tensor)
        , m_elements(elements)
        , m_take(take)
        , m_rounding(rounding)
    {}

    template <class T>
    Status operator()(std::span<const T> values) const
    {
        for (std::uint64_t first = 0; first < m_elements; first += kTensorChunk) {
            FLOPSMITH_RETURN_IF_ERROR(takeChunk(first, values.subspan(first, sizeFrom(first))));
        }
        return Done{};
    }

    template <class T>
    Status operator()(const TensorChunks<T>& chunks) const
    {
        std::vector<T> values;
        for (std::uint64_t first = 0; first < m_elements; first += kTensorChunk) {
            values.resize(sizeFrom(first));
            const Status given = chunks(first, std::span<T>(values));
            FLOPSMITH_RETURN_IF_ERROR(given ? takeChunk(first, std::span<const T>(values)) : given);
        }
        return Done{};
    }

private:
    std::uint64_t sizeFrom(std::uint64_t first) const
    {
        return std::min(kTensorChunk, m_elements - first);
    }

    template <class T>
    Status takeChunk(std::uint64_t first, std::span<const T> values) const
    {
        std::string bytes;
        bytes.reserve(values.size() * bytesPerElement(m_tensor.type));
        const Status held = appendElements(bytes, values, m_tensor.type, first, m_rounding);
        return held ? m_take(bytes) : tensorError(m_tensor.name, held.error().message);
    }

    const TensorToWrite& m_tensor;
    std::uint64_t m_elements;
    const TensorBytes& m_take;
    double& m_rounding;
};

} // namespace

Result<std::vector<SafetensorsTensor>> describedTensors(std::span<const TensorToWrite> tensors)
{
    std::vector<SafetensorsTensor> described;
    std::set<std::string_view> names;
    for (const TensorToWrite& tensor : tensors) {
        FLOPSMITH_TRY(SafetensorsTensor next, describedTensor(tensor));
        if (!names.insert(tensor.name).second) {
            return tensorError(tensor.name, "two tensors have this name");
        }
        described.push_back(std::move(next));
    }
    return described;
}

Status takeTensor(const TensorToWrite& tensor,
                  std::uint64_t elements,
                  const TensorBytes& take,
                  double& rounding)
{
    return std::visit(ChunkTaker(tensor, elements, take, rounding), tensor.values);
}

} // namespace flopsmith
