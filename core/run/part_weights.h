// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/weights.h"
#include "core/run/model_plan.h"

#include <cstddef>

namespace flopsmith {

/// The tensors of one part in the order of its shapes, as kernels take them. Those that are not
/// adjacent among the model's are copied.
template <class S>
class PartWeights
{
public:
    PartWeights(const ModelPart& part, const Weights<S>& weights)
    {
        const std::vector<std::size_t>& tensors = part.tensors;
        bool together = true;
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            together = together && tensors[i] == tensors[0] + i;
        }
        if (together && !tensors.empty()) {
            m_view = WeightView<S>(weights).subspan(tensors[0], tensors.size());
            return;
        }
        for (const std::size_t tensor : tensors) {
            m_copies.push_back(weights[tensor]);
        }
        m_view = m_copies;
    }

    PartWeights(const PartWeights&) = delete;
    PartWeights& operator=(const PartWeights&) = delete;

    WeightView<S> view() const { return m_view; }

private:
    Weights<S> m_copies;
    WeightView<S> m_view;
};

} // namespace flopsmith
