// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/random.h"
#include "core/kernels/weights.h"

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

// Operands converted to the reference's scalar type.
namespace flopsmith::bench {

template <class S>
std::vector<S> convertedTo(std::span<const float> values)
{
    return {values.begin(), values.end()};
}

// The weights as S: the operands' own in single precision, else a copy.
template <class S>
class WeightsAs
{
public:
    explicit WeightsAs(WeightView<float> weights)
    {
        if constexpr (std::is_same_v<S, float>) {
            m_view = weights;
        } else {
            for (const std::vector<float>& tensor : weights) {
                m_copy.push_back(convertedTo<S>(tensor));
            }
            m_view = m_copy;
        }
    }
    WeightsAs(const WeightsAs&) = delete;
    WeightsAs& operator=(const WeightsAs&) = delete;

    WeightView<S> view() const { return m_view; }

private:
    Weights<S> m_copy;
    WeightView<S> m_view;
};

template <class S>
std::vector<S> movedBy(std::vector<S> values, double relative, std::uint64_t seed)
{
    Random random(seed);
    for (S& value : values) {
        value *= static_cast<S>(1.0 + relative * (2.0 * random.uniform() - 1.0));
    }
    return values;
}

} // namespace flopsmith::bench
