// SPDX-License-Identifier: MIT
#include "core/ffn/micro_refine.h"

#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/selection.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::reference {
namespace {

// β_j·tanh(γ_j·x + δ_j): 2 multiplications, 1 addition, 1 tanh.
template <class S>
S refined(WeightView<S> weights, int j, S x)
{
    using std::tanh;
    return weights[0][j] * tanh(weights[1][j] * x + weights[2][j]);
}

// The channels to refine, ascending. In groups mode each group chooses for itself.
template <class S>
std::vector<int> chosenChannels(const MicroRefineFfn& ffn, std::span<const S> z)
{
    const auto d = static_cast<int>(z.size());
    if (ffn.selection == ChannelSelection::fixed) {
        return ffn.fixedList(d);
    }
    if (ffn.mode == MicroRefineMode::iterative) {
        return largestMagnitudes(z, kept(ffn.keepRatio, d));
    }
    std::vector<int> channels;
    for (int group = 0; group < ffn.steps; ++group) {
        const int start = ffn.groupStart(group, d);
        const int size = ffn.groupStart(group + 1, d) - start;
        for (const int j : largestMagnitudes(z.subspan(start, size), kept(ffn.keepRatio, size))) {
            channels.push_back(start + j);
        }
    }
    return channels;
}

template <class S>
void refineGroups(const MicroRefineFfn& ffn,
                  WeightView<S> weights,
                  std::span<const S> x,
                  std::span<S> y)
{
    const std::vector<int> channels = chosenChannels(ffn, x);
    noteMoves<S>(2 * channels.size()); // each is read and written by index
    std::fill(y.begin(), y.end(), S(0));
    for (const int j : channels) {
        y[j] = refined(weights, j, x[j]);
    }
}

template <class S>
void refineIteratively(const MicroRefineFfn& ffn,
                       WeightView<S> weights,
                       std::span<const S> x,
                       std::span<S> y)
{
    std::vector<S> z(x.begin(), x.end());
    for (int step = 0; step < ffn.steps; ++step) {
        const std::vector<int> channels = chosenChannels<S>(ffn, z);
        noteMoves<S>(2 * channels.size());
        for (const int j : channels) {
            z[j] += refined(weights, j, z[j]);
        }
    }
    for (std::size_t j = 0; j < y.size(); ++j) {
        y[j] = z[j] - x[j];
    }
}

// Saved activations of one refinement of a token.
template <class S>
struct Refinement
{
    std::vector<int> channels;
    std::vector<S> z; ///< of these channels, before
    std::vector<S> h; ///< tanh(γz + δ)
};

template <class S>
std::vector<Refinement<S>> keptRefinements(const MicroRefineFfn& ffn,
                                           WeightView<S> weights,
                                           std::span<const S> x)
{
    using std::tanh;
    const Uncounted scope;
    std::vector<Refinement<S>> all;
    std::vector<S> z(x.begin(), x.end());
    const int rounds = ffn.mode == MicroRefineMode::iterative ? ffn.steps : 1;
    for (int round = 0; round < rounds; ++round) {
        Refinement<S> refinement{.channels = chosenChannels<S>(ffn, z), .z = {}, .h = {}};
        for (const int j : refinement.channels) {
            refinement.z.push_back(z[j]);
            refinement.h.push_back(tanh(weights[1][j] * z[j] + weights[2][j]));
            z[j] += weights[0][j] * refinement.h.back();
        }
        all.push_back(std::move(refinement));
    }
    return all;
}

// Returns the gradient of z from g, the gradient of β·h, and accumulates the gradients of β, γ and
// δ: 5 multiplications and 1 addition besides the sums' additions.
template <class S>
S refinedBackward(WeightView<S> weights,
                  int j,
                  S z,
                  S h,
                  S g,
                  bool first,
                  GradientView<S> gradients)
{
    const S gh = g * h;
    const S e = (g - gh * h) * weights[0][j];
    accumulate(gradients[0][j], gh, first);
    accumulate(gradients[1][j], e * z, first);
    accumulate(gradients[2][j], e, first);
    return e * weights[1][j];
}

} // namespace

template <class S>
void forward(const MicroRefineFfn& ffn,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y)
{
    const auto d = static_cast<std::size_t>(shape.dModel);
    for (std::size_t t = 0; t < shape.tokens(); ++t) {
        const auto from = x.subspan(t * d, d);
        const auto to = y.subspan(t * d, d);
        if (ffn.mode == MicroRefineMode::groups) {
            refineGroups(ffn, weights, from, to);
        } else {
            refineIteratively(ffn, weights, from, to);
        }
    }
}

template <class S>
void backward(const MicroRefineFfn& ffn,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    const auto d = static_cast<std::size_t>(shape.dModel);
    const bool iterative = ffn.mode == MicroRefineMode::iterative;
    for (std::vector<S>& gradient : gradients) {
        std::fill(gradient.begin(), gradient.end(), S(0));
    }
    for (std::size_t t = 0; t < shape.tokens(); ++t) {
        const auto refinements = keptRefinements<S>(ffn, weights, x.subspan(t * d, d));
        std::vector<S> dz(d, S(0)); // through the refinements, from the last to the first
        if (iterative) {
            std::copy_n(dy.begin() + static_cast<std::ptrdiff_t>(t * d), d, dz.begin());
        }
        for (std::size_t round = refinements.size(); round-- > 0;) {
            const Refinement<S>& kept = refinements[round];
            const bool first = ffn.selection == ChannelSelection::fixed && t == 0
                && round + 1 == refinements.size();
            noteMoves<S>((round == 0 ? 3 : 2) * kept.channels.size()); // dz in and out, x
            for (std::size_t i = 0; i < kept.channels.size(); ++i) {
                const int j = kept.channels[i];
                const S g = iterative ? dz[j] : dy[t * d + j];
                const S back =
                    refinedBackward<S>(weights, j, kept.z[i], kept.h[i], g, first, gradients);
                dz[j] = iterative ? dz[j] + back : back;
            }
        }
        for (std::size_t j = 0; j < d; ++j) {
            dx[t * d + j] = iterative ? dz[j] - dy[t * d + j] : dz[j];
        }
    }
}

FLOPSMITH_INSTANTIATE_FFN(MicroRefineFfn)
FLOPSMITH_INSTANTIATE_FFN_BACKWARD(MicroRefineFfn)

} // namespace flopsmith::reference
