// SPDX-License-Identifier: MIT
#include "core/io/safetensors/tensor_shape.h"

#include <algorithm>
#include <limits>

namespace flopsmith {

std::optional<std::uint64_t> elementsOf(const TensorShape& shape, std::uint64_t elementBytes)
{
    if (std::ranges::any_of(shape, [](std::int64_t size) { return size < 0; })) {
        return std::nullopt;
    }
    if (std::ranges::find(shape, 0) != shape.end()) {
        return 0;
    }
    std::uint64_t elements = 1;
    for (const std::int64_t size : shape) {
        const auto factor = static_cast<std::uint64_t>(size);
        if (elements > std::numeric_limits<std::uint64_t>::max() / elementBytes / factor) {
            return std::nullopt;
        }
        elements *= factor;
    }
    return elements;
}

std::string shapeText(const TensorShape& shape)
{
    std::string text;
    for (const std::int64_t size : shape) {
        text += (text.empty() ? "" : ", ") + std::to_string(size);
    }
    return "[" + text + "]";
}

} // namespace flopsmith
