// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/weights.h"
#include "core/run/model_plan.h"

#include <algorithm>

namespace flopsmith {

/// The tensors of one part, for kernels that borrow them: views of the model's, or copies of
/// tensors that are not contiguous. The model's tensors must stay where they are.
class PartTensors
{
public:
    PartTensors(const ModelPart& part, WeightView<float> weights)
        : m_places(part.tensors)
        , m_weights(weights)
    {
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            m_together = m_together && m_places[i] == m_places[0] + i;
        }
        for (const std::size_t place : m_together ? std::vector<std::size_t>{} : m_places) {
            m_copies.push_back(weights[place]);
        }
    }

    WeightView<float> view() const
    {
        if (!m_together) {
            return m_copies;
        }
        return m_weights.subspan(m_places.empty() ? 0 : m_places[0], m_places.size());
    }

    /// Renews the copies.
    void weightsChanged()
    {
        for (std::size_t i = 0; i < m_copies.size(); ++i) {
            std::ranges::copy(m_weights[m_places[i]], m_copies[i].begin());
        }
    }

private:
    std::vector<std::size_t> m_places;
    WeightView<float> m_weights;
    bool m_together = true;
    Weights<float> m_copies;
};

} // namespace flopsmith
