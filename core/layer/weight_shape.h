// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace flopsmith {

/// How a weight is filled when an operation is measured or tested.
enum class Init {
    normal, ///< mean 0, standard deviation 1/sqrt(rows): keeps activations near 1
    small, ///< mean 0, standard deviation 0.1
    ones,
    zeros,
};

/// One weight tensor of a layer, row-major [rows, columns]; vectors have one row. All back ends
/// and the parameter count agree on this list, in this order.
struct WeightShape
{
    std::string name; ///< "c_fc.weight"
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    Init init = Init::normal;
    /// Column j is drawn with a factor (j + 1)^−columnDecay. A router with such columns sends more
    /// tokens to the first experts.
    double columnDecay = 0.0;
    /// False for buffers, which are stored but not trained; their gradient is 0.
    bool trainable = true;

    std::int64_t size() const { return rows * columns; }

    double columnScale(std::int64_t column) const
    {
        return columnDecay == 0.0 ? 1.0 : std::pow(static_cast<double>(column + 1), -columnDecay);
    }

    bool operator==(const WeightShape&) const = default;
};

using WeightShapes = std::vector<WeightShape>;

} // namespace flopsmith
