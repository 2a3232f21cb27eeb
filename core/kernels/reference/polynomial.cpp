// SPDX-License-Identifier: MIT
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/instantiate.h"
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
    bool aboveIsZero = true; ///< then it takes part in no operation

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

FLOPSMITH_INSTANTIATE_FFN(PolynomialFfn)

} // namespace flopsmith::reference
