// SPDX-License-Identifier: MIT
#include "core/ffn/polynomial.h"

#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/selection.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::reference {
namespace {

// a_0 + a_1·v + … by Horner's rule; of degree m: m multiplications, m additions.
template <class S>
S horner(std::span<const S> a, S v)
{
    S sum = a.back();
    for (std::size_t m = a.size() - 1; m-- > 0;) {
        sum = sum * v + a[m];
    }
    return sum;
}

template <class S>
S monomial(PolynomialTerms terms, std::span<const S> a, S x)
{
    if (terms == PolynomialTerms::all) {
        return horner(a, x);
    }
    const bool odd = terms == PolynomialTerms::odd;
    if (a.size() == 1) {
        return odd ? a[0] * x : a[0];
    }
    const S inSquare = horner(a, x * x);
    return odd ? inSquare * x : inSquare;
}

// The recurrence b_m = a_m + 2v·b_{m+1} − b_{m+2} from the highest m down to `last`.
template <class S>
struct Clenshaw
{
    S here; ///< b_last
    S above{}; ///< b_{last+1}
    bool aboveIsZero = true; ///< then it causes no operation

    Clenshaw(std::span<const S> a, std::size_t last, S twiceV)
        : here(a.back())
    {
        for (std::size_t m = a.size() - 1; m-- > last;) {
            const S next = aboveIsZero ? a[m] + twiceV * here : a[m] + twiceV * here - above;
            above = here;
            here = next;
            aboveIsZero = false;
        }
    }
};

// Σ a_m·T_m(v); of degree 1: 1 multiplication, 1 addition; of degree m: m and 2m.
template <class S>
S chebyshevSum(std::span<const S> a, S v)
{
    if (a.size() == 2) {
        return a[0] + v * a[1];
    }
    const Clenshaw<S> b(a, 1, v + v);
    return a[0] + v * b.here - b.above;
}

// Σ a_m·T_{2m+1}(u) = u·(b_0 − b_1), the recurrence running in T_2(u) = 2u² − 1, because
// T_{2m+3} = 2·T_2·T_{2m+1} − T_{2m−1} and T_{−1} = T_1 = u.
template <class S>
S oddChebyshevSum(std::span<const S> a, S u)
{
    if (a.size() == 1) {
        return a[0] * u;
    }
    const S square = u * u;
    const S second = square + square - S(1);
    const Clenshaw<S> b(a, 0, second + second);
    return (b.here - b.above) * u;
}

template <class S>
S chebyshev(PolynomialTerms terms, std::span<const S> a, S x)
{
    using std::tanh;
    if (terms == PolynomialTerms::even && a.size() == 1) {
        return a[0]; // T_0 = 1
    }
    const S u = tanh(x);
    if (terms == PolynomialTerms::odd) {
        return oddChebyshevSum(a, u);
    }
    if (terms == PolynomialTerms::all) {
        return chebyshevSum(a, u);
    }
    const S square = u * u; // T_{2m}(u) = T_m(2u² − 1)
    return chebyshevSum(a, square + square - S(1));
}

// The coefficients m·α_m of the derivative; for even powers without the factor x or 4u, whose 2
// they include.
template <class S>
std::vector<S> slopes(PolynomialTerms terms, std::span<const S> a)
{
    std::vector<S> slopes;
    if (terms == PolynomialTerms::odd) {
        slopes.push_back(a[0]);
        for (std::size_t i = 1; i < a.size(); ++i) {
            slopes.push_back(S(static_cast<double>(2 * i + 1)) * a[i]);
        }
        return slopes;
    }
    const bool all = terms == PolynomialTerms::all;
    for (std::size_t i = 1; i < a.size(); ++i) {
        slopes.push_back(all && i == 1 ? a[1] : S(static_cast<double>(all ? i : 2 * i)) * a[i]);
    }
    return slopes;
}

// From dy = g: shares[i] = g·x^m for each term, and dx. Not for constants.
template <class S>
S monomialBackward(PolynomialTerms terms, std::span<const S> c, S x, S g, std::span<S> shares)
{
    const bool odd = terms == PolynomialTerms::odd;
    shares[0] = odd ? g * x : g;
    if (shares.size() == 1) {
        return g * c[0];
    }
    const S ratio = terms == PolynomialTerms::all ? x : x * x;
    for (std::size_t i = 1; i < shares.size(); ++i) {
        shares[i] = shares[i - 1] * ratio;
    }
    const S slope = horner(c, ratio);
    return terms == PolynomialTerms::even ? g * x * slope : g * slope;
}

// g·T_m for m from 2 on, from those for 0 and 1, as T_m = 2v·T_{m−1} − T_{m−2}.
template <class S>
void continueRecurrence(std::span<S> shares, S twiceV)
{
    for (std::size_t m = 2; m < shares.size(); ++m) {
        shares[m] = twiceV * shares[m - 1] - shares[m - 2];
    }
}

// T_m' = m·U_{m−1}, and Σ c_i·U_i is the b_0 of Clenshaw's recurrence.
template <class S>
S allChebyshevBackward(std::span<const S> c, S u, S g, std::span<S> shares)
{
    const S twice = shares.size() > 2 ? u + u : S(0);
    shares[0] = g;
    shares[1] = g * u;
    continueRecurrence(shares, twice);
    return (g - shares[1] * u) * Clenshaw<S>(c, 0, twice).here;
}

// T_{2m}(u) = T_m(v) with v = 2u² − 1, so that the derivative is 4u·m·U_{m−1}(v), and
// 2·(1 − u²) = 1 − v.
template <class S>
S evenChebyshevBackward(std::span<const S> c, S u, S g, std::span<S> shares)
{
    const S square = u * u;
    const S v = square + square - S(1);
    const S twice = shares.size() > 2 ? v + v : S(0);
    shares[0] = g;
    shares[1] = g * v;
    continueRecurrence(shares, twice);
    return (g - shares[1]) * u * Clenshaw<S>(c, 0, twice).here;
}

// T_{2m+1}' = (2m + 1)·U_{2m}(u); U_{2m} obeys the recurrence in v with U_{−2} = −U_0, and so
// Σ c_m·U_{2m} = b_0 + b_1.
template <class S>
S oddChebyshevBackward(std::span<const S> c, S u, S g, std::span<S> shares)
{
    shares[0] = g * u;
    const S gDerivative = g - shares[0] * u;
    if (shares.size() == 1) {
        return gDerivative * c[0];
    }
    const S square = u * u;
    const S v = square + square - S(1);
    const S twice = v + v;
    shares[1] = twice * shares[0] - shares[0]; // T_{−1} = T_1
    continueRecurrence(shares, twice);
    const Clenshaw<S> b(c, 0, twice);
    return gDerivative * (b.here + b.above);
}

// The backward pass of one value: `kept` is x, or u = tanh x for Chebyshev polynomials.
template <class S>
S valueBackward(const PolynomialFfn& ffn, std::span<const S> c, S kept, S g, std::span<S> shares)
{
    if (ffn.isConstant()) {
        shares[0] = g;
        return S(0);
    }
    if (ffn.basis == PolynomialBasis::monomial) {
        return monomialBackward(ffn.terms, c, kept, g, shares);
    }
    switch (ffn.terms) {
    case PolynomialTerms::all: return allChebyshevBackward(c, kept, g, shares);
    case PolynomialTerms::odd: return oddChebyshevBackward(c, kept, g, shares);
    case PolynomialTerms::even: return evenChebyshevBackward(c, kept, g, shares);
    }
    return S(0);
}

// The derivative's coefficients of every set that may be used.
template <class S>
std::vector<std::vector<S>> slopesOfSets(const PolynomialFfn& ffn,
                                         std::span<const S> alpha,
                                         const std::vector<int>& fixed)
{
    const auto terms = static_cast<std::size_t>(ffn.termCount());
    const bool perChannel = ffn.coefficients == CoefficientSharing::perChannel;
    std::vector<std::vector<S>> sets(alpha.size() / terms);
    for (std::size_t set = 0; set < sets.size(); ++set) {
        if (!perChannel || ffn.selection == ChannelSelection::topK
            || std::binary_search(fixed.begin(), fixed.end(), static_cast<int>(set))) {
            sets[set] = slopes(ffn.terms, alpha.subspan(set * terms, terms));
        }
    }
    return sets;
}

template <class S>
S keptValue(const PolynomialFfn& ffn, S x)
{
    using std::tanh;
    const Uncounted scope;
    return ffn.basis == PolynomialBasis::monomial ? x : tanh(x);
}

} // namespace

template <class S>
void forward(const PolynomialFfn& ffn,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y)
{
    const auto d = static_cast<std::size_t>(shape.dModel);
    const auto terms = static_cast<std::size_t>(ffn.termCount());
    const int count = ffn.keptChannels(shape.dModel);
    const std::span<const S> alpha = weights[0];
    std::vector<int> channels = fixedChannels(ffn.seed, count, shape.dModel);

    std::fill(y.begin(), y.end(), S(0));
    for (std::size_t t = 0; t < shape.tokens(); ++t) {
        const auto token = x.subspan(t * d, d);
        if (ffn.selection == ChannelSelection::topK) {
            channels = largestMagnitudes(token, count);
        }
        noteMoves<S>(2 * channels.size()); // each is read and written by index
        for (const int j : channels) {
            const bool perChannel = ffn.coefficients == CoefficientSharing::perChannel;
            const auto a = alpha.subspan(perChannel ? j * terms : 0, terms);
            y[t * d + j] = ffn.basis == PolynomialBasis::monomial
                ? monomial<S>(ffn.terms, a, token[j])
                : chebyshev<S>(ffn.terms, a, token[j]);
        }
    }
}

template <class S>
void backward(const PolynomialFfn& ffn,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    const auto d = static_cast<std::size_t>(shape.dModel);
    const auto terms = static_cast<std::size_t>(ffn.termCount());
    const int count = ffn.keptChannels(shape.dModel);
    const bool perChannel = ffn.coefficients == CoefficientSharing::perChannel;
    const bool topK = ffn.selection == ChannelSelection::topK;
    const std::size_t movedPerChannel =
        ffn.isConstant() ? 1 : (ffn.basis == PolynomialBasis::monomial ? 3 : 2);
    std::vector<int> channels = fixedChannels(ffn.seed, count, shape.dModel);
    const auto sets = slopesOfSets<S>(ffn, weights[0], channels);
    std::vector<S> shares(terms);

    std::fill(dx.begin(), dx.end(), S(0));
    std::fill(gradients[0].begin(), gradients[0].end(), S(0));
    for (std::size_t t = 0; t < shape.tokens(); ++t) {
        if (topK) {
            const Uncounted scope;
            channels = largestMagnitudes(x.subspan(t * d, d), count);
        }
        noteMoves<S>(movedPerChannel * channels.size());
        for (const int j : channels) {
            const std::size_t at = t * d + j;
            const std::size_t set = perChannel ? j : 0;
            dx[at] = valueBackward<S>(ffn, sets[set], keptValue(ffn, x[at]), dy[at], shares);
            const bool first = perChannel ? !topK && t == 0 : t == 0 && j == channels.front();
            for (std::size_t i = 0; i < terms; ++i) {
                accumulate(gradients[0][set * terms + i], shares[i], first);
            }
        }
    }
}

FLOPSMITH_INSTANTIATE_FFN(PolynomialFfn)
FLOPSMITH_INSTANTIATE_FFN_BACKWARD(PolynomialFfn)

} // namespace flopsmith::reference
