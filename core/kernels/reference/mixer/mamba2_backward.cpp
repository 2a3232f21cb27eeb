// SPDX-License-Identifier: MIT
#include "core/kernels/reference/activation.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/mixer.h"
#include "core/kernels/reference/mixer/scan_parts.h"

namespace flopsmith::reference {
namespace {

/// Gradients of what the scan reads.
template <class S>
struct ScanGradients
{
    std::vector<S> inputs; ///< of x | B | C [T, channels]
    std::vector<S> steps; ///< of Δ [T, H]
    std::vector<S> decays; ///< of A [H]
    std::vector<S> skips; ///< of D [H]

    explicit ScanGradients(const ScanLoops& n)
        : inputs(n.tokens * n.channels)
        , steps(n.tokens * n.heads)
        , decays(n.heads)
        , skips(n.heads)
    {}

    std::span<S> x(const ScanLoops& n, std::size_t t, std::size_t head)
    {
        return std::span<S>(inputs).subspan(t * n.channels + head * n.headDim, n.headDim);
    }
    std::span<S> b(const ScanLoops& n, std::size_t t, std::size_t group)
    {
        return std::span<S>(inputs).subspan(t * n.channels + n.inner + group * n.state, n.state);
    }
    std::span<S> c(const ScanLoops& n, std::size_t t, std::size_t group)
    {
        return std::span<S>(inputs).subspan(
            t * n.channels + n.inner + n.groupState + group * n.state, n.state);
    }
};

/// What the backward pass of the scan reads.
template <class S>
struct ScanBackward
{
    const ScanLoops& n;
    ScanState<S>& state;
    const std::vector<S>& skips;
    const std::vector<S>& dOutputs; ///< of y [T, P]

    std::span<const S> dy(std::size_t t, std::size_t head) const
    {
        return std::span<const S>(dOutputs).subspan(t * n.inner + head * n.headDim, n.headDim);
    }
    std::span<const S> y(std::size_t t, std::size_t head) const
    {
        return std::span<const S>(state.outputs).subspan(t * n.inner + head * n.headDim, n.headDim);
    }
    const S& step(std::size_t t, std::size_t head) const { return state.steps[t * n.heads + head]; }

    /// One head's state before a chunk.
    std::vector<S> before(std::size_t sequence, std::size_t chunk, std::size_t head) const
    {
        if (chunk == 0) {
            return std::vector<S>(n.matrix(), S(0));
        }
        const auto matrix = state.stateOf(n, sequence, chunk - 1, head);
        return {matrix.begin(), matrix.end()};
    }
};

// rows[r] · column: Σ_k matrix[f, k]·values[k] for each f.
template <class S>
std::vector<S> rowProducts(std::span<const S> matrix, std::span<const S> values)
{
    std::vector<S> products;
    for (std::size_t at = 0; at < matrix.size(); at += values.size()) {
        products.push_back(dot<S>(matrix.subspan(at, values.size()), values));
    }
    return products;
}

// to[k] (+)= Σ_f matrix[f, k]·values[f].
template <class S>
void addColumnProducts(std::span<const S> matrix,
                       std::span<const S> values,
                       std::span<S> to,
                       bool begins)
{
    for (std::size_t f = 0; f < values.size(); ++f) {
        for (std::size_t k = 0; k < to.size(); ++k) {
            accumulate(to[k], matrix[f * to.size() + k] * values[f], begins && f == 0);
        }
    }
}

template <class S>
std::vector<S> timesFactor(std::span<const S> values, const S& factor)
{
    std::vector<S> products;
    for (const S& value : values) {
        products.push_back(factor * value);
    }
    return products;
}

// dx = Δ·dU + D·dy of one token and head.
template <class S>
void inputGradient(const ScanBackward<S>& in,
                   std::size_t t,
                   std::size_t head,
                   std::span<const S> dU,
                   ScanGradients<S>& d)
{
    const auto dx = d.x(in.n, t, head);
    const auto dy = in.dy(t, head);
    for (std::size_t f = 0; f < dU.size(); ++f) {
        dx[f] = in.step(t, head) * dU[f] + in.skips[head] * dy[f];
    }
}

// dΔ and dA from the gradient of Δ·A and from ⟨x, dU⟩.
template <class S>
void stepGradient(const ScanBackward<S>& in,
                  std::size_t t,
                  std::size_t head,
                  const S& dExponent,
                  const S& alongX,
                  bool begins,
                  ScanGradients<S>& d)
{
    d.steps[t * in.n.heads + head] = dExponent * in.state.decays[head] + alongX;
    accumulate(d.decays[head], dExponent * in.step(t, head), begins);
}

/// The gradients of a group's B and C in a chunk, through states and through scores.
template <class S>
struct GroupOfChunk
{
    std::vector<S> scores; ///< [length, length]
    std::vector<S> dScores;
    std::vector<S> dB; ///< through states [length, N]
    std::vector<S> dC;
};

// ⟨dy, y − D·x⟩ − ⟨U, dU⟩ is what the sums of Δ·A get from a token.
template <class S>
void chunkSteps(const ScanBackward<S>& in,
                std::size_t first,
                std::size_t length,
                std::size_t head,
                const std::vector<S>& dU,
                const S& ofState,
                bool begins,
                ScanGradients<S>& d)
{
    const std::size_t h = in.n.headDim;
    std::vector<S> dSums;
    std::vector<S> alongX;
    for (std::size_t i = 0; i < length; ++i) {
        const std::size_t t = first + i;
        const auto dRow = std::span<const S>(dU).subspan(i * h, h);
        const auto x = in.state.x(in.n, t, head);
        const S alongSkip = dot<S>(in.dy(t, head), x);
        alongX.push_back(dot<S>(x, dRow));
        dSums.push_back(dot<S>(in.dy(t, head), in.y(t, head)) - in.skips[head] * alongSkip
                        - in.step(t, head) * alongX[i]);
        accumulate(d.skips[head], alongSkip, begins && i == 0);
        inputGradient(in, t, head, dRow, d);
    }
    dSums.back() += ofState;
    S dExponent{};
    for (std::size_t i = length; i-- > 0;) {
        dExponent = i + 1 == length ? dSums[i] : dSums[i] + dExponent;
        stepGradient(in, first + i, head, dExponent, alongX[i], begins && i + 1 == length, d);
    }
}

template <class S>
void chunkOfHeadBackward(const ScanBackward<S>& in,
                         std::size_t sequence,
                         std::size_t index,
                         std::size_t head,
                         std::span<S> dState,
                         GroupOfChunk<S>& group,
                         ScanGradients<S>& d)
{
    const ScanLoops& n = in.n;
    const std::size_t h = n.headDim;
    const std::size_t first = sequence * n.sequence + index * n.chunk;
    const std::size_t length = n.lengthOf(index);
    const std::size_t last = length - 1;
    const std::size_t of = head / n.headsPerGroup();
    const bool begins = head % n.headsPerGroup() == 0;
    const ChunkOfHead<S> chunk = chunkOfHead(n, in.state, group.scores, first, length, head);
    const std::vector<S> before = in.before(sequence, index, head);
    const auto after = in.state.stateOf(n, sequence, index, head);

    std::vector<S> dU(length * h);
    for (std::size_t i = 0; i < length; ++i) {
        const auto dy = in.dy(first + i, head);
        for (std::size_t j = 0; j <= i; ++j) {
            const S dMixing = dot<S>(dy, std::span<const S>(chunk.u).subspan(j * h, h));
            const S dScore = i == j ? dMixing : dMixing * chunk.pairs[i * length + j];
            accumulate(group.dScores[i * length + j], dScore, begins);
            for (std::size_t f = 0; f < h; ++f) {
                accumulate(dU[j * h + f], chunk.mixing[i * length + j] * dy[f], i == j);
            }
        }
    }
    std::vector<S> carriedGradients;
    for (std::size_t i = 0; i < length; ++i) {
        const bool isLast = i == last;
        std::vector<S> throughState = rowProducts<S>(dState, in.state.b(n, first + i, of));
        std::vector<S> weighed(chunk.u.begin() + static_cast<std::ptrdiff_t>(i * h),
                               chunk.u.begin() + static_cast<std::ptrdiff_t>((i + 1) * h));
        for (std::size_t f = 0; f < h; ++f) {
            if (!isLast) {
                throughState[f] *= chunk.pairs[last * length + i];
                weighed[f] *= chunk.pairs[last * length + i];
            }
            dU[i * h + f] += throughState[f];
        }
        const std::vector<S> carried = timesFactor(in.dy(first + i, head), chunk.carried[i]);
        addColumnProducts<S>(
            dState, weighed, std::span<S>(group.dB).subspan(i * n.state, n.state), begins);
        addColumnProducts<S>(
            before, carried, std::span<S>(group.dC).subspan(i * n.state, n.state), begins);
        carriedGradients.insert(carriedGradients.end(), carried.begin(), carried.end());
    }
    const S ofState = dot<S>(dState, after);
    for (std::size_t f = 0; f < h; ++f) {
        for (std::size_t k = 0; k < n.state; ++k) {
            S sum{};
            for (std::size_t i = 0; i < length; ++i) {
                accumulate(
                    sum, carriedGradients[i * h + f] * in.state.c(n, first + i, of)[k], i == 0);
            }
            S& element = dState[f * n.state + k];
            element = chunk.carried[last] * element + sum;
        }
    }
    const bool beginsSums = sequence == 0 && index + 1 == n.chunks();
    chunkSteps(in, first, length, head, dU, ofState, beginsSums, d);
}

// What reaches B and C of a group's chunk through its scores joins what reaches them through states.
template <class S>
void scoresBackward(const ScanBackward<S>& in,
                    std::size_t first,
                    std::size_t length,
                    std::size_t of,
                    const GroupOfChunk<S>& group,
                    ScanGradients<S>& d)
{
    const ScanLoops& n = in.n;
    for (std::size_t k = 0; k < n.state; ++k) {
        for (std::size_t i = 0; i < length; ++i) {
            S throughC{};
            for (std::size_t j = 0; j <= i; ++j) {
                accumulate(throughC,
                           group.dScores[i * length + j] * in.state.b(n, first + j, of)[k],
                           j == 0);
            }
            S throughB{};
            for (std::size_t later = i; later < length; ++later) {
                accumulate(throughB,
                           group.dScores[later * length + i] * in.state.c(n, first + later, of)[k],
                           later == i);
            }
            d.c(n, first + i, of)[k] = group.dC[i * n.state + k] + throughC;
            d.b(n, first + i, of)[k] = group.dB[i * n.state + k] + throughB;
        }
    }
}

template <class S>
void chunkedBackward(const ScanBackward<S>& in, std::size_t sequence, ScanGradients<S>& d)
{
    const ScanLoops& n = in.n;
    std::vector<S> dStates(n.heads * n.matrix(), S(0));
    for (std::size_t index = n.chunks(); index-- > 0;) {
        const std::size_t first = sequence * n.sequence + index * n.chunk;
        const std::size_t length = n.lengthOf(index);
        for (std::size_t of = 0; of < n.groups; ++of) {
            GroupOfChunk<S> group{.scores = chunkScores(n, in.state, first, length, of),
                                  .dScores = std::vector<S>(length * length),
                                  .dB = std::vector<S>(length * n.state),
                                  .dC = std::vector<S>(length * n.state)};
            for (std::size_t i = 0; i < n.headsPerGroup(); ++i) {
                const std::size_t head = of * n.headsPerGroup() + i;
                chunkOfHeadBackward<S>(in,
                                       sequence,
                                       index,
                                       head,
                                       std::span<S>(dStates).subspan(head * n.matrix(), n.matrix()),
                                       group,
                                       d);
            }
            scoresBackward(in, first, length, of, group, d);
        }
    }
}

// The states of a chunk's tokens, of which the last is kept and the others are computed again.
template <class S>
std::vector<std::vector<S>> statesOfChunk(const ScanBackward<S>& in,
                                          std::size_t sequence,
                                          std::size_t index,
                                          std::size_t head,
                                          const std::vector<S>& u,
                                          const std::vector<S>& factors)
{
    const ScanLoops& n = in.n;
    const std::size_t first = sequence * n.sequence + index * n.chunk;
    std::vector<std::vector<S>> states{in.before(sequence, index, head)};
    for (std::size_t i = 0; i + 1 < factors.size(); ++i) {
        const auto b = in.state.b(n, first + i, head / n.headsPerGroup());
        std::vector<S> next = states.back();
        for (std::size_t at = 0; at < next.size(); ++at) {
            next[at] = factors[i] * next[at] + u[i * n.headDim + at / n.state] * b[at % n.state];
        }
        states.push_back(std::move(next));
    }
    const auto kept = in.state.stateOf(n, sequence, index, head);
    states.emplace_back(kept.begin(), kept.end());
    return states;
}

template <class S>
void recurrentChunkBackward(const ScanBackward<S>& in,
                            std::size_t sequence,
                            std::size_t index,
                            std::size_t head,
                            std::span<S> dState,
                            ScanGradients<S>& d)
{
    using std::exp;
    const ScanLoops& n = in.n;
    const std::size_t first = sequence * n.sequence + index * n.chunk;
    const std::size_t length = n.lengthOf(index);
    const std::size_t of = head / n.headsPerGroup();
    const bool beginsGroup = head % n.headsPerGroup() == 0;
    const bool beginsSums = sequence == 0 && index + 1 == n.chunks();
    std::vector<S> u;
    std::vector<S> factors;
    for (std::size_t i = 0; i < length; ++i) {
        const S& step = in.step(first + i, head);
        factors.push_back(exp(step * in.state.decays[head]));
        const std::vector<S> row = timesFactor(in.state.x(n, first + i, head), step);
        u.insert(u.end(), row.begin(), row.end());
    }
    const auto states = statesOfChunk(in, sequence, index, head, u, factors);
    for (std::size_t i = length; i-- > 0;) {
        const std::size_t t = first + i;
        const auto dy = in.dy(t, head);
        const auto c = in.state.c(n, t, of);
        for (std::size_t at = 0; at < dState.size(); ++at) {
            dState[at] += dy[at / n.state] * c[at % n.state];
        }
        addColumnProducts<S>(states[i + 1], dy, d.c(n, t, of), beginsGroup);
        addColumnProducts<S>(dState,
                             std::span<const S>(u).subspan(i * n.headDim, n.headDim),
                             d.b(n, t, of),
                             beginsGroup);
        const std::vector<S> dU = rowProducts<S>(dState, in.state.b(n, t, of));
        const S dExponent = factors[i] * dot<S>(dState, states[i]);
        const bool begins = beginsSums && i + 1 == length;
        stepGradient(in, t, head, dExponent, dot<S>(in.state.x(n, t, head), dU), begins, d);
        const auto x = in.state.x(n, t, head);
        for (std::size_t f = 0; f < n.headDim; ++f) {
            accumulate(d.skips[head], dy[f] * x[f], begins && f == 0);
        }
        inputGradient<S>(in, t, head, dU, d);
        for (S& element : dState) {
            element *= factors[i];
        }
    }
}

template <class S>
void recurrentBackward(const ScanBackward<S>& in, std::size_t sequence, ScanGradients<S>& d)
{
    const ScanLoops& n = in.n;
    for (std::size_t head = 0; head < n.heads; ++head) {
        std::vector<S> dState(n.matrix(), S(0));
        for (std::size_t index = n.chunks(); index-- > 0;) {
            recurrentChunkBackward<S>(in, sequence, index, head, dState, d);
        }
    }
}

// In place: dNormed [T, P] becomes the gradient of what was normalised.
template <class S>
void normBackward(const Mamba2& mixer,
                  const ScanLoops& n,
                  const ScanState<S>& state,
                  const std::vector<S>& scale,
                  std::span<S> rows,
                  std::vector<S>& dScale)
{
    const auto parts = static_cast<std::size_t>(mixer.normGroups);
    const std::size_t width = n.inner / parts;
    forEachNormPart<S>(n.tokens, parts, rows, [&](std::span<S> part, std::size_t first) {
        std::vector<S> from;
        for (std::size_t t = 0; t < n.tokens; ++t) {
            const auto row = std::span<const S>(state.gated).subspan(t * n.inner + first, width);
            from.insert(from.end(), row.begin(), row.end());
        }
        const std::vector<S> dPart(part.begin(), part.end());
        std::vector<std::vector<S>> gradient(1, std::vector<S>(width));
        const auto own = partScale(scale, first, width);
        backward<S>(
            mixer.partNorm(), rowsOfWidth(n.tokens, width), own, from, dPart, part, gradient);
        std::copy(gradient.front().begin(),
                  gradient.front().end(),
                  dScale.begin() + static_cast<std::ptrdiff_t>(first));
    });
}

// dConvolved [T, channels] → the gradient of the convolution's inputs.
template <class S>
std::vector<S> convolutionBackward(const ScanLoops& n,
                                   const ScanState<S>& state,
                                   const std::vector<S>& weight,
                                   const std::vector<S>& dConvolved,
                                   std::vector<S>& dWeight,
                                   std::vector<S>* dBias)
{
    std::vector<S> dInputs(dConvolved.size());
    const std::size_t rows = n.taps - 1 + n.sequence;
    for (std::size_t t = 0; t < n.tokens; ++t) {
        const std::size_t position = t % n.sequence;
        const std::size_t row = t / n.sequence * rows + position;
        for (std::size_t c = 0; c < n.channels; ++c) {
            for (std::size_t i = 0; i < n.taps; ++i) {
                const std::size_t later = n.taps - 1 - i;
                const S reached =
                    position + later < n.sequence ? dConvolved[(t + later) * n.channels + c] : S(0);
                accumulate(
                    dInputs[t * n.channels + c], weight[i * n.channels + c] * reached, i == 0);
                accumulate(dWeight[i * n.channels + c],
                           state.window[(row + i) * n.channels + c]
                               * dConvolved[t * n.channels + c],
                           t == 0);
            }
        }
    }
    if (dBias != nullptr) {
        sumRows<S>(dConvolved, *dBias);
    }
    return dInputs;
}

// In place the gradient of Δ becomes the gradient of Δ + b.
template <class S>
void stepSizesBackward(const ScanState<S>& state, std::span<S> dSteps)
{
    for (std::size_t i = 0; i < dSteps.size(); ++i) {
        dSteps[i] = dSteps[i] * sigmoid(state.rawSteps[i]);
    }
}

} // namespace

template <class S>
void backward(const Mamba2& mixer,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    const ScanLoops n(mixer, shape);
    const Mamba2Tensors at(mixer);
    ScanState<S> state;
    {
        const Uncounted scope;
        state = scanState<S>(mixer, n, weights, x, {}, {});
    }
    using std::exp;
    for (std::size_t head = 0; head < n.heads; ++head) {
        state.decays[head] = -exp(weights[at.decay][head]);
    }
    std::vector<S> dGated(state.normed.size());
    linearBackward<S>(n.tokens,
                      state.normed,
                      weights[at.out],
                      dy,
                      dGated,
                      gradients[at.out],
                      mixer.bias ? &gradients[at.outBias] : nullptr);
    if (mixer.gatedNorm) {
        normBackward<S>(mixer, n, state, weights[at.norm], dGated, gradients[at.norm]);
    }
    std::vector<S> dGates;
    std::vector<S> dOutputs;
    for (std::size_t i = 0; i < dGated.size(); ++i) {
        dGates.push_back(dGated[i] * state.outputs[i]);
        dOutputs.push_back(dGated[i] * state.openGates[i]);
    }
    activateBackward<S>(Activation::silu, state.gates, dGates);
    ScanGradients<S> d(n);
    const ScanBackward<S> in{n, state, weights[at.skip], dOutputs};
    for (std::size_t sequence = 0; sequence < n.batch; ++sequence) {
        n.chunked ? chunkedBackward(in, sequence, d) : recurrentBackward(in, sequence, d);
    }
    for (std::size_t head = 0; head < n.heads; ++head) {
        gradients[at.decay][head] = d.decays[head] * state.decays[head];
    }
    gradients[at.skip] = d.skips;
    stepSizesBackward<S>(state, d.steps);
    sumRows<S>(d.steps, gradients[at.stepBias]);
    activateBackward<S>(Activation::silu, state.convolved, d.inputs);
    const std::vector<S> dInputs =
        convolutionBackward(n,
                            state,
                            weights[at.conv],
                            d.inputs,
                            gradients[at.conv],
                            mixer.convBias ? &gradients[at.convBias] : nullptr);
    std::vector<S> dProjected;
    for (std::size_t t = 0; t < n.tokens; ++t) {
        const auto append = [&](const std::vector<S>& rows, std::size_t width) {
            const auto row = std::span<const S>(rows).subspan(t * width, width);
            dProjected.insert(dProjected.end(), row.begin(), row.end());
        };
        append(dGates, n.inner);
        append(dInputs, n.channels);
        append(d.steps, n.heads);
    }
    linearBackward<S>(n.tokens,
                      x,
                      weights[at.in],
                      dProjected,
                      dx,
                      gradients[at.in],
                      mixer.bias ? &gradients[at.inBias] : nullptr);
}

FLOPSMITH_INSTANTIATE_BACKWARD(Mamba2)

} // namespace flopsmith::reference
