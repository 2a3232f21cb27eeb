// SPDX-License-Identifier: MIT
#include "core/kernels/reference/activation.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/instantiate.h"

#include <algorithm>

namespace flopsmith::reference {
namespace {

// σ of every gate, once per pass.
template <class S>
std::vector<S> openGates(const ComposedFfn& ffn, WeightView<S> weights)
{
    std::vector<S> gates;
    if (ffn.gate != GateKind::none) {
        for (const S& gate : weights[0]) {
            gates.push_back(sigmoid(gate));
        }
    }
    return gates;
}

// values ← σ(g_stage) ⊙ values.
template <class S>
void scaleByGate(const ComposedFfn& ffn,
                 const std::vector<S>& gates,
                 std::size_t stage,
                 std::size_t d,
                 std::span<S> values)
{
    if (ffn.gate == GateKind::none) {
        return;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] *= ffn.gate == GateKind::scalar ? gates[stage] : gates[stage * d + i % d];
    }
}

template <class S>
void add(std::span<S> sum, std::span<const S> term)
{
    for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] += term[i];
    }
}

// Puts σ(g_s) ⊙ stage_s(input) into y, stage by stage.
template <class S>
class GatedStages
{
public:
    GatedStages(const ComposedFfn& ffn, const Shape& shape, WeightView<S> weights)
        : m_ffn(ffn)
        , m_shape(shape)
        , m_gates(openGates(ffn, weights))
        , m_rest(weights.subspan(ffn.gate == GateKind::none ? 0 : 1))
    {}

    void next(std::span<const S> input, std::span<S> y)
    {
        const FfnSpec& spec = m_ffn.stages[m_stage].spec;
        const std::size_t tensors = flopsmith::weights(spec, m_shape.dModel).size();
        forward<S>(spec, m_shape, m_rest.first(tensors), input, y);
        scaleByGate<S>(m_ffn, m_gates, m_stage, static_cast<std::size_t>(m_shape.dModel), y);
        m_rest = m_rest.subspan(tensors);
        ++m_stage;
    }

private:
    const ComposedFfn& m_ffn;
    const Shape& m_shape;
    std::vector<S> m_gates;
    WeightView<S> m_rest;
    std::size_t m_stage = 0;
};

} // namespace

template <class S>
void forward(const ComposedFfn& ffn,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y)
{
    if (ffn.stages.empty()) {
        std::fill(y.begin(), y.end(), S(0));
        return;
    }
    GatedStages<S> stages(ffn, shape, weights);
    std::vector<S> term(y.size());
    if (ffn.mode == CompositionMode::parallel) {
        stages.next(x, y);
        for (std::size_t s = 1; s < ffn.stages.size(); ++s) {
            stages.next(x, term);
            add<S>(y, term);
        }
        return;
    }
    std::vector<S> z(x.begin(), x.end());
    for (std::size_t s = 0; s < ffn.stages.size(); ++s) {
        stages.next(z, term);
        add<S>(z, term);
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
        y[i] = z[i] - x[i];
    }
}

FLOPSMITH_INSTANTIATE_FFN(ComposedFfn)

} // namespace flopsmith::reference
