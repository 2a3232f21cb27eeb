// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/polynomial.h"
#include "core/kernels/cpu/select/channels.h"
#include "core/kernels/cpu/simd/lanes.h"
#include "core/kernels/cpu/simd/memory_ledger.h"

#include <cstddef>
#include <utility>
#include <vector>

// Channels, coefficients and sums over the terms for both passes of polynomials, a register of
// channels at a time. `at(term)` returns the coefficients of a register.
namespace flopsmith::cpu {

inline bool isPerChannel(const PolynomialFfn& ffn)
{
    return ffn.coefficients == CoefficientSharing::perChannel;
}

/// The fixed list, or all channels for top_k.
inline ChannelList channelsOf(const PolynomialFfn& ffn, int dModel)
{
    const ChannelWork work =
        ffn.basis == PolynomialBasis::chebyshev ? ChannelWork::heavy : ChannelWork::light;
    return ffn.selection == ChannelSelection::fixed
        ? ChannelList(fixedChannels(ffn.seed, ffn.keptChannels(dModel), dModel), dModel, work)
        : ChannelList(dModel);
}

/// Coefficients [d, terms] as a row per term of the list's channels; empty if all channels share
/// them.
inline std::vector<LedgerVector<float>> coefficientRows(const PolynomialFfn& ffn,
                                                        const ChannelList& channels,
                                                        const float* alpha)
{
    const auto terms = static_cast<std::size_t>(ffn.termCount());
    std::vector<LedgerVector<float>> rows;
    for (std::size_t m = 0; m < terms && isPerChannel(ffn); ++m) {
        rows.push_back(channels.arranged(alpha + m, terms));
    }
    return rows;
}

/// The coefficients of a register of channels: one set for all …
struct SharedCoefficients
{
    const float* values;

    Lanes operator()(int term, std::size_t /*channel*/) const { return all(values[term]); }
};

/// … or a row per term.
struct ChannelCoefficients
{
    const LedgerVector<float>* rows;

    Lanes operator()(int term, std::size_t channel) const
    {
        return load(rows[term].data() + channel);
    }
};

template <class At>
Lanes horner(int terms, Lanes x, const At& at)
{
    Lanes sum = at(terms - 1);
    for (int m = terms - 2; m >= 0; --m) {
        sum = sum * x + at(m);
    }
    return sum;
}

/// b_last of b_m = a_m + 2v·b_{m+1} − b_{m+2}, and b_{last+1}.
template <class At>
std::pair<Lanes, Lanes> clenshaw(int terms, int last, Lanes v, const At& at)
{
    const Lanes twice = v + v;
    Lanes here = terms > last ? at(terms - 1) : Lanes{};
    Lanes above{};
    for (int m = terms - 2; m >= last; --m) {
        const Lanes next = at(m) + (twice * here - above);
        above = here;
        here = next;
    }
    return {here, above};
}

/// dx from g = dy and x; add(i, g·x^m) for every term. The slopes are the coefficients m·α_m of the
/// derivative, as the reference explains.
template <class At, class Add>
Lanes monomialBackward(PolynomialTerms which,
                       int terms,
                       Lanes x,
                       Lanes g,
                       const At& slope,
                       const Add& add)
{
    const bool odd = which == PolynomialTerms::odd;
    const Lanes ratio = which == PolynomialTerms::all ? x : x * x;
    Lanes share = odd ? g * x : g;
    add(0, share);
    for (int i = 1; i < terms; ++i) {
        share *= ratio;
        add(i, share);
    }
    const Lanes derivative = horner(odd ? terms : terms - 1, ratio, slope);
    return which == PolynomialTerms::even ? g * x * derivative : g * derivative;
}

/// The same for Chebyshev polynomials of u = tanh x.
template <class At, class Add>
Lanes chebyshevBackward(PolynomialTerms which,
                        int terms,
                        Lanes u,
                        Lanes g,
                        const At& slope,
                        const Add& add)
{
    const bool odd = which == PolynomialTerms::odd;
    const Lanes v = which == PolynomialTerms::all ? u : 2.0F * u * u - 1.0F;
    const Lanes first = odd ? g * u : g;
    Lanes before = odd ? first : g * v; // T_{−1} = T_1
    Lanes share = first;
    add(0, share);
    for (int i = 1; i < terms; ++i) {
        const Lanes next = 2.0F * v * share - before;
        before = share;
        share = next;
        add(i, share);
    }
    const auto [here, above] = clenshaw(odd ? terms : terms - 1, 0, v, slope);
    if (which == PolynomialTerms::even) {
        return (g - g * v) * u * here;
    }
    return (g - g * u * u) * (odd ? here + above : here);
}

} // namespace flopsmith::cpu
