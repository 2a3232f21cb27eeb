// SPDX-License-Identifier: MIT
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/instantiate.h"
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

FLOPSMITH_INSTANTIATE_FFN(MicroRefineFfn)

} // namespace flopsmith::reference
