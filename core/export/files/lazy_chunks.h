// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/safetensors/tensor_source.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace flopsmith {

/// The values of one tensor, made when its first chunk is requested and dropped after the last. After
/// a request to stop: the error "stopped".
inline TensorChunks<float> lazyChunks(std::function<std::vector<float>()> make,
                                      const std::stop_token& stop = {})
{
    return [make = std::move(make), stop, values = std::make_shared<std::vector<float>>()](
               std::uint64_t first, std::span<float> chunk) -> Status {
        if (stop.stop_requested()) {
            return Error{"stopped"};
        }
        if (first == 0) {
            *values = make();
        }
        std::copy_n(
            values->begin() + static_cast<std::ptrdiff_t>(first), chunk.size(), chunk.begin());
        if (first + chunk.size() == values->size()) {
            *values = {};
        }
        return Done{};
    };
}

} // namespace flopsmith
