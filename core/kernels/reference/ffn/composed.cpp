// SPDX-License-Identifier: MIT
#include "core/ffn/composed.h"

#include "core/kernels/reference/activation.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"

#include <algorithm>

namespace flopsmith::reference {
namespace {

// σ of every gate, once per pass.
template <class S>
std::vector<S> gateSigmoids(const ComposedFfn& ffn, WeightView<S> weights)
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

// Dropout: values ← m ⊙ values/(1 − p); one comparison of each draw with p and one multiplication.
template <class S>
void dropOut(const ComposedFfn& ffn, std::span<S> values)
{
    const DropoutMask mask(ffn);
    noteSelection<S>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] *= S(mask.factor(i));
    }
}

// Its backward pass: dy times the saved mask.
template <class S>
std::vector<S> dropOutBackward(const ComposedFfn& ffn, std::span<const S> dy)
{
    std::vector<S> kept(dy.begin(), dy.end());
    const DropoutMask mask(ffn);
    for (std::size_t i = 0; ffn.drops() && i < kept.size(); ++i) {
        kept[i] *= S(mask.factor(i));
    }
    return kept;
}

// The tensors of one stage among those of the composition, which begin with the gates.
struct StageTensors
{
    std::size_t first;
    std::size_t count;
};

std::vector<StageTensors> tensorsOfStages(const ComposedFfn& ffn, int dModel)
{
    std::vector<StageTensors> all;
    std::size_t first = ffn.gate == GateKind::none ? 0 : 1;
    for (const FfnStage& stage : ffn.stages) {
        all.push_back({first, flopsmith::weights(stage.spec, dModel).size()});
        first += all.back().count;
    }
    return all;
}

// The outputs of the stages, without their gates.
template <class S>
class PlainStages
{
public:
    PlainStages(const ComposedFfn& ffn, const Shape& shape, WeightView<S> weights)
        : m_ffn(ffn)
        , m_shape(shape)
        , m_weights(weights)
        , m_tensors(tensorsOfStages(ffn, shape.dModel))
    {}

    WeightView<S> weights(std::size_t stage) const
    {
        return m_weights.subspan(m_tensors[stage].first, m_tensors[stage].count);
    }

    void run(std::size_t stage, std::span<const S> input, std::span<S> y) const
    {
        forward<S>(m_ffn.stages[stage].spec, m_shape, weights(stage), input, y);
    }

    void runBackward(std::size_t stage,
                     std::span<const S> input,
                     std::span<const S> dy,
                     std::span<S> dx,
                     GradientView<S> gradients) const
    {
        backward<S>(m_ffn.stages[stage].spec,
                    m_shape,
                    weights(stage),
                    input,
                    dy,
                    dx,
                    gradients.subspan(m_tensors[stage].first, m_tensors[stage].count));
    }

private:
    const ComposedFfn& m_ffn;
    const Shape& m_shape;
    WeightView<S> m_weights;
    std::vector<StageTensors> m_tensors;
};

// Saved activations: σ of the gates, and input and output of every stage.
template <class S>
struct SavedStages
{
    std::vector<S> gates;
    std::vector<std::vector<S>> inputs;
    std::vector<std::vector<S>> outputs;

    SavedStages(const ComposedFfn& ffn,
                const PlainStages<S>& stages,
                WeightView<S> weights,
                std::span<const S> x,
                std::size_t d)
    {
        const Uncounted scope;
        gates = gateSigmoids(ffn, weights);
        std::vector<S> z(x.begin(), x.end());
        for (std::size_t s = 0; s < ffn.stages.size(); ++s) {
            inputs.push_back(z);
            outputs.emplace_back(x.size());
            stages.run(s, z, outputs.back());
            if (ffn.mode == CompositionMode::sequential) {
                std::vector<S> term = outputs.back();
                scaleByGate<S>(ffn, gates, s, d, term);
                accumulate<S>(z, term);
            }
        }
    }
};

// dg = Σ dz ⊙ output · σ·(1 − σ) for the gates of one stage.
template <class S>
void gateBackward(std::span<const S> sigmas,
                  std::span<const S> output,
                  std::span<const S> dz,
                  std::span<S> dGates)
{
    for (std::size_t i = 0; i < dz.size(); ++i) {
        accumulate(dGates[i % dGates.size()], dz[i] * output[i], i < dGates.size());
    }
    for (std::size_t i = 0; i < dGates.size(); ++i) {
        dGates[i] *= sigmas[i] * (S(1) - sigmas[i]);
    }
}

// y of the stages and their gates.
template <class S>
void joinStages(const ComposedFfn& ffn,
                const Shape& shape,
                WeightView<S> weights,
                std::span<const S> x,
                std::span<S> y)
{
    const PlainStages<S> stages(ffn, shape, weights);
    const auto d = static_cast<std::size_t>(shape.dModel);
    const std::vector<S> gates = gateSigmoids(ffn, weights);
    std::vector<S> term(y.size());
    if (ffn.mode == CompositionMode::parallel) {
        for (std::size_t s = 0; s < ffn.stages.size(); ++s) {
            const std::span<S> to = s == 0 ? y : std::span<S>(term);
            stages.run(s, x, to);
            scaleByGate<S>(ffn, gates, s, d, to);
            if (s > 0) {
                accumulate<S>(y, term);
            }
        }
        return;
    }
    std::vector<S> z(x.begin(), x.end());
    for (std::size_t s = 0; s < ffn.stages.size(); ++s) {
        stages.run(s, z, term);
        scaleByGate<S>(ffn, gates, s, d, term);
        accumulate<S>(z, term);
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
        y[i] = z[i] - x[i];
    }
}

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
    joinStages<S>(ffn, shape, weights, x, y);
    if (shape.training && ffn.drops()) {
        dropOut(ffn, y);
    }
}

template <class S>
void backward(const ComposedFfn& ffn,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    if (ffn.stages.empty()) {
        std::fill(dx.begin(), dx.end(), S(0));
        return;
    }
    const auto d = static_cast<std::size_t>(shape.dModel);
    const bool sequential = ffn.mode == CompositionMode::sequential;
    Shape training = shape;
    training.training = true;
    const PlainStages<S> stages(ffn, training, weights);
    const SavedStages<S> saved(ffn, stages, weights, x, d);
    const std::vector<S> dJoined = dropOutBackward<S>(ffn, dy);
    std::vector<S> dz = dJoined;
    std::vector<S> term(dx.size());
    for (std::size_t s = ffn.stages.size(); s-- > 0;) {
        std::vector<S> dOutput = dz;
        scaleByGate<S>(ffn, saved.gates, s, d, dOutput);
        if (ffn.gate != GateKind::none) {
            const std::size_t width = ffn.gate == GateKind::scalar ? 1 : d;
            gateBackward<S>(std::span(saved.gates).subspan(s * width, width),
                            saved.outputs[s],
                            dz,
                            std::span(gradients[0]).subspan(s * width, width));
        }
        const bool firstOfSum = !sequential && s + 1 == ffn.stages.size();
        stages.runBackward(s, saved.inputs[s], dOutput, firstOfSum ? dx : term, gradients);
        if (!firstOfSum) {
            accumulate<S>(sequential ? std::span<S>(dz) : dx, term);
        }
    }
    for (std::size_t i = 0; sequential && i < dx.size(); ++i) {
        dx[i] = dz[i] - dJoined[i];
    }
}

FLOPSMITH_INSTANTIATE_FFN(ComposedFfn)
FLOPSMITH_INSTANTIATE_FFN_BACKWARD(ComposedFfn)

} // namespace flopsmith::reference
