// SPDX-License-Identifier: MIT
#include "core/lab/run/part_norms.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace flopsmith {

std::vector<PartNorm> partNorms(const std::vector<ModelTensor>& tensors,
                                std::span<const double> norms)
{
    std::vector<PartNorm> parts;
    for (std::size_t i = 0; i < norms.size(); ++i) {
        if (!tensors[i].shape.trainable) {
            continue;
        }
        const std::string& path = tensors[i].path;
        const std::size_t end = path.rfind('/');
        const std::string part = end == std::string::npos ? path : path.substr(0, end);
        const auto found = std::ranges::find(parts, part, &PartNorm::part);
        if (found == parts.end()) {
            parts.push_back({.part = part, .norm = norms[i]});
        } else {
            found->norm = std::hypot(found->norm, norms[i]);
        }
    }
    if (parts.size() > 1) {
        return parts;
    }
    parts.clear(); // an FFN alone: its tensors
    for (std::size_t i = 0; i < norms.size(); ++i) {
        if (tensors[i].shape.trainable) {
            parts.push_back({.part = tensors[i].path, .norm = norms[i]});
        }
    }
    return parts;
}

} // namespace flopsmith
