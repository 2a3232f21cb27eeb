// SPDX-License-Identifier: MIT
#include "core/mixer/mamba2.h"

#include "core/kernels/reference/activation.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/mixer.h"
#include "core/kernels/reference/mixer/scan_parts.h"

namespace flopsmith::reference {
namespace {

// Columns [first, first + width) of rows.
template <class S>
std::vector<S> columnsFrom(std::span<const S> rows,
                           std::size_t tokens,
                           std::size_t first,
                           std::size_t width)
{
    const std::size_t all = rows.size() / tokens;
    std::vector<S> columns;
    columns.reserve(tokens * width);
    for (std::size_t t = 0; t < tokens; ++t) {
        const auto row = rows.subspan(t * all + first, width);
        columns.insert(columns.end(), row.begin(), row.end());
    }
    return columns;
}

// The inputs of the convolution after those before them: cached ones, or zeros.
template <class S>
std::vector<S> convolutionWindow(const ScanLoops& n,
                                 std::span<const S> fresh,
                                 std::span<const S> cached)
{
    const std::size_t before = (n.taps - 1) * n.channels;
    const std::size_t own = n.sequence * n.channels;
    std::vector<S> window;
    for (std::size_t b = 0; b < n.batch; ++b) {
        if (cached.empty()) {
            window.insert(window.end(), before, S(0));
        } else {
            const auto earlier = cached.subspan(b * before, before);
            window.insert(window.end(), earlier.begin(), earlier.end());
        }
        const auto sequence = fresh.subspan(b * own, own);
        window.insert(window.end(), sequence.begin(), sequence.end());
    }
    return window;
}

template <class S>
void convolve(const ScanLoops& n,
              const std::vector<S>& weight,
              const std::vector<S>* bias,
              ScanState<S>& state)
{
    state.convolved.resize(n.tokens * n.channels);
    const std::size_t rows = n.taps - 1 + n.sequence;
    for (std::size_t t = 0; t < n.tokens; ++t) {
        const std::size_t row = t / n.sequence * rows + t % n.sequence;
        for (std::size_t c = 0; c < n.channels; ++c) {
            S sum = weight[c] * state.window[row * n.channels + c];
            for (std::size_t i = 1; i < n.taps; ++i) {
                sum += weight[i * n.channels + c] * state.window[(row + i) * n.channels + c];
            }
            state.convolved[t * n.channels + c] = bias == nullptr ? sum : sum + (*bias)[c];
        }
    }
}

// log(1 + e^x); far to the right it is x.
template <class S>
S softplus(S x)
{
    using std::exp;
    using std::log;
    constexpr double kStraight = 20.0;
    const S bent = log(S(1) + exp(x));
    return valueOf(x) > kStraight ? x : bent;
}

template <class S>
void computeSteps(const ScanLoops& n, const std::vector<S>& bias, ScanState<S>& state)
{
    for (std::size_t i = 0; i < state.rawSteps.size(); ++i) {
        state.rawSteps[i] += bias[i % n.heads];
        state.steps.push_back(softplus(state.rawSteps[i]));
    }
}

// One token of one head: S ← a·S + U·Bᵀ, y = S·C + D·x.
template <class S>
void recurrentStep(const ScanLoops& n,
                   ScanState<S>& state,
                   const S& skip,
                   std::size_t t,
                   std::size_t head,
                   std::span<S> matrix)
{
    using std::exp;
    const std::size_t group = head / n.headsPerGroup();
    const S& step = state.steps[t * n.heads + head];
    const S decay = exp(step * state.decays[head]);
    const auto x = state.x(n, t, head);
    const auto b = state.b(n, t, group);
    const auto c = state.c(n, t, group);
    for (std::size_t f = 0; f < n.headDim; ++f) {
        const S u = step * x[f];
        const auto row = matrix.subspan(f * n.state, n.state);
        for (std::size_t k = 0; k < n.state; ++k) {
            row[k] = decay * row[k] + u * b[k];
        }
        state.outputs[t * n.inner + head * n.headDim + f] = dot<S>(row, c) + skip * x[f];
    }
}

// One chunk of one head.
template <class S>
void chunkStep(const ScanLoops& n,
               ScanState<S>& state,
               const std::vector<S>& scores,
               const S& skip,
               std::size_t first,
               std::size_t length,
               std::size_t head,
               std::span<S> matrix)
{
    const std::size_t group = head / n.headsPerGroup();
    const ChunkOfHead<S> chunk = chunkOfHead(n, state, scores, first, length, head);
    for (std::size_t i = 0; i < length; ++i) {
        const auto c = state.c(n, first + i, group);
        const auto x = state.x(n, first + i, head);
        for (std::size_t f = 0; f < n.headDim; ++f) {
            S inside{};
            for (std::size_t j = 0; j <= i; ++j) {
                accumulate(
                    inside, chunk.mixing[i * length + j] * chunk.u[j * n.headDim + f], j == 0);
            }
            const S before = dot<S>(matrix.subspan(f * n.state, n.state), c);
            state.outputs[(first + i) * n.inner + head * n.headDim + f] =
                inside + chunk.carried[i] * before + skip * x[f];
        }
    }
    const std::size_t last = length - 1;
    std::vector<S> weighed = chunk.u;
    for (std::size_t j = 0; j < last; ++j) {
        for (std::size_t f = 0; f < n.headDim; ++f) {
            weighed[j * n.headDim + f] *= chunk.pairs[last * length + j];
        }
    }
    for (std::size_t f = 0; f < n.headDim; ++f) {
        for (std::size_t k = 0; k < n.state; ++k) {
            S sum{};
            for (std::size_t j = 0; j < length; ++j) {
                accumulate(
                    sum, weighed[j * n.headDim + f] * state.b(n, first + j, group)[k], j == 0);
            }
            S& element = matrix[f * n.state + k];
            element = chunk.carried[last] * element + sum;
        }
    }
}

template <class S>
void scanSequence(const ScanLoops& n,
                  ScanState<S>& state,
                  const std::vector<S>& skips,
                  std::size_t sequence,
                  std::vector<S> matrices)
{
    for (std::size_t chunk = 0; chunk < n.chunks(); ++chunk) {
        const std::size_t first = sequence * n.sequence + chunk * n.chunk;
        const std::size_t length = n.lengthOf(chunk);
        std::vector<S> scores;
        for (std::size_t head = 0; head < n.heads; ++head) {
            const auto matrix = std::span<S>(matrices).subspan(head * n.matrix(), n.matrix());
            if (!n.chunked) {
                for (std::size_t t = first; t < first + length; ++t) {
                    recurrentStep<S>(n, state, skips[head], t, head, matrix);
                }
            } else {
                if (head % n.headsPerGroup() == 0) {
                    scores = chunkScores(n, state, first, length, head / n.headsPerGroup());
                }
                chunkStep<S>(n, state, scores, skips[head], first, length, head, matrix);
            }
            std::copy(
                matrix.begin(), matrix.end(), state.stateOf(n, sequence, chunk, head).begin());
        }
    }
}

template <class S>
void scanAll(const ScanLoops& n,
             ScanState<S>& state,
             const std::vector<S>& logDecays,
             const std::vector<S>& skips,
             std::span<const S> cached)
{
    using std::exp;
    for (const S& value : logDecays) {
        state.decays.push_back(-exp(value));
    }
    const std::size_t size = n.heads * n.matrix();
    state.outputs.resize(n.tokens * n.inner);
    state.states.resize(n.batch * n.chunks() * size);
    for (std::size_t sequence = 0; sequence < n.batch; ++sequence) {
        std::vector<S> matrices(size, S(0));
        if (!cached.empty()) {
            const auto own = cached.subspan(sequence * size, size);
            matrices.assign(own.begin(), own.end());
        }
        scanSequence(n, state, skips, sequence, std::move(matrices));
    }
}

template <class S>
void normaliseParts(const Mamba2& mixer,
                    const ScanLoops& n,
                    const std::vector<S>& scale,
                    std::span<S> rows)
{
    const auto parts = static_cast<std::size_t>(mixer.normGroups);
    forEachNormPart<S>(n.tokens, parts, rows, [&](std::span<S> part, std::size_t first) {
        const std::size_t width = n.inner / parts;
        const std::vector<S> from(part.begin(), part.end());
        const auto own = partScale(scale, first, width);
        forward<S>(mixer.partNorm(), rowsOfWidth(n.tokens, width), own, from, part);
    });
}

} // namespace

template <class S>
std::vector<S> chunkScores(const ScanLoops& n,
                           const ScanState<S>& state,
                           std::size_t first,
                           std::size_t length,
                           std::size_t group)
{
    std::vector<S> scores(length * length, S(0));
    for (std::size_t i = 0; i < length; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            scores[i * length + j] =
                dot<S>(state.c(n, first + i, group), state.b(n, first + j, group));
        }
    }
    return scores;
}

template <class S>
ChunkOfHead<S> chunkOfHead(const ScanLoops& n,
                           const ScanState<S>& state,
                           const std::vector<S>& scores,
                           std::size_t first,
                           std::size_t length,
                           std::size_t head)
{
    using std::exp;
    ChunkOfHead<S> chunk{
        .u = {}, .pairs = std::vector<S>(length * length, S(0)), .carried = {}, .mixing = scores};
    std::vector<S> sums;
    for (std::size_t i = 0; i < length; ++i) {
        const S& step = state.steps[(first + i) * n.heads + head];
        const S exponent = step * state.decays[head];
        sums.push_back(i == 0 ? exponent : sums.back() + exponent);
        for (const S& x : state.x(n, first + i, head)) {
            chunk.u.push_back(step * x);
        }
        chunk.carried.push_back(exp(sums[i]));
        for (std::size_t j = 0; j < i; ++j) {
            const S decay = exp(sums[i] - sums[j]);
            chunk.pairs[i * length + j] = decay;
            chunk.mixing[i * length + j] = scores[i * length + j] * decay;
        }
    }
    return chunk;
}

template <class S>
ScanState<S> scanState(const Mamba2& mixer,
                       const ScanLoops& n,
                       WeightView<S> w,
                       std::span<const S> x,
                       std::span<const S> cachedStates,
                       std::span<const S> cachedInputs)
{
    const Mamba2Tensors at(mixer);
    std::vector<S> projected(n.tokens * n.projected());
    linear<S>(n.tokens, x, w[at.in], mixer.bias ? &w[at.inBias] : nullptr, projected);
    ScanState<S> state;
    state.gates = columnsFrom<S>(projected, n.tokens, 0, n.inner);
    state.window = convolutionWindow<S>(
        n, columnsFrom<S>(projected, n.tokens, n.inner, n.channels), cachedInputs);
    state.rawSteps = columnsFrom<S>(projected, n.tokens, n.inner + n.channels, n.heads);
    convolve(n, w[at.conv], mixer.convBias ? &w[at.convBias] : nullptr, state);
    state.inputs = state.convolved;
    activate<S>(Activation::silu, state.inputs);
    computeSteps(n, w[at.stepBias], state);
    scanAll(n, state, w[at.decay], w[at.skip], cachedStates);
    state.openGates = state.gates;
    activate<S>(Activation::silu, state.openGates);
    for (std::size_t i = 0; i < state.outputs.size(); ++i) {
        state.gated.push_back(state.outputs[i] * state.openGates[i]);
    }
    state.normed = state.gated;
    if (mixer.gatedNorm) {
        normaliseParts<S>(mixer, n, w[at.norm], state.normed);
    }
    return state;
}

template <class S>
void forward(const Mamba2& mixer,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<const S> cachedKeys,
             std::span<const S> cachedValues,
             std::span<S> y)
{
    const ScanLoops n(mixer, shape);
    const Mamba2Tensors at(mixer);
    const ScanState<S> state = scanState<S>(mixer, n, weights, x, cachedKeys, cachedValues);
    linear<S>(
        n.tokens, state.normed, weights[at.out], mixer.bias ? &weights[at.outBias] : nullptr, y);
}

FLOPSMITH_INSTANTIATE_MIXER(Mamba2)

#define FLOPSMITH_SCAN_PARTS(Ignored, S)                                                           \
    template ScanState<S> scanState<S>(const Mamba2&,                                              \
                                       const ScanLoops&,                                           \
                                       WeightView<S>,                                              \
                                       std::span<const S>,                                         \
                                       std::span<const S>,                                         \
                                       std::span<const S>);                                        \
    template std::vector<S> chunkScores<S>(                                                        \
        const ScanLoops&, const ScanState<S>&, std::size_t, std::size_t, std::size_t);             \
    template ChunkOfHead<S> chunkOfHead<S>(const ScanLoops&,                                       \
                                           const ScanState<S>&,                                    \
                                           const std::vector<S>&,                                  \
                                           std::size_t,                                            \
                                           std::size_t,                                            \
                                           std::size_t);
FLOPSMITH_FOR_REFERENCE_SCALARS(FLOPSMITH_SCAN_PARTS, Mamba2)
#undef FLOPSMITH_SCAN_PARTS

} // namespace flopsmith::reference
