// SPDX-License-Identifier: MIT
#include "core/ffn/polynomial.h"

#include "core/kernels/cuda/plan/choice.cuh"
#include "core/kernels/cuda/planned.h"

namespace flopsmith::cuda {
namespace {

// The coefficients α_m, [terms] or [d, terms], and what they multiply.
struct Polynomial
{
    bool chebyshev;
    int first; ///< k of the first term
    int step; ///< to that of the next one
    int count;
    const float* alpha;
    Index channelStride;

    // Calls visit(m, term, k, derivative over k) for x^k, or T_k(tanh x), of every term; k by itself,
    // because with it the largest powers are too large for a float. By recurrence:
    // T_{k+1} = 2u·T_k − T_{k−1} and T_k' = k·U_{k−1}, U_{k+1} = 2u·U_k − U_{k−1}.
    template <class Visit>
    __device__ void forEachTerm(float x, const Visit& visit) const
    {
        const float u = chebyshev ? tanhf(x) : x;
        const float inner = chebyshev ? 1.0F - u * u : 1.0F;
        float term = 1.0F;
        float before = u;
        float slope = 0.0F;
        float second = 0.0F; // U_{k−1}
        float secondBefore = -1.0F;
        for (int k = 0, m = 0; m < count; ++k) {
            if (k >= first && (k - first) % step == 0) {
                visit(m++, term, static_cast<float>(k), slope * inner);
            }
            if (!chebyshev) {
                slope = term;
                term *= u;
                continue;
            }
            const float after = 2.0F * u * term - before;
            before = term;
            term = after;
            const float secondAfter = 2.0F * u * second - secondBefore;
            secondBefore = second;
            second = secondAfter;
            slope = second;
        }
    }

    __device__ float value(Index channel, float x) const
    {
        float sum = 0.0F;
        forEachTerm(x, [&](int m, float term, float, float) {
            sum = fmaf(alpha[channel * channelStride + m], term, sum);
        });
        return sum;
    }

    __device__ float derivative(Index channel, float x) const
    {
        float sum = 0.0F;
        forEachTerm(x, [&](int m, float, float k, float slope) {
            sum = fmaf(alpha[channel * channelStride + m] * k, slope, sum);
        });
        return sum;
    }

    __device__ float termAt(Index which, float x) const
    {
        float found = 0.0F;
        forEachTerm(x, [&](int m, float term, float, float) { found = m == which ? term : found; });
        return found;
    }
};

KeptValues keptChannels(Plan& plan, const PolynomialFfn& ffn, const FfnInput& in)
{
    const int d = in.dModel();
    const int kept = ffn.keptChannels(d);
    if (ffn.selection == ChannelSelection::fixed) {
        return keptPlaces(plan, fixedChannels(ffn.seed, kept, d), d);
    }
    return keptMagnitudes(plan, in.x, {{0, d}, {kept}});
}

} // namespace

Tensor* planFfn(Plan& plan, const PolynomialFfn& ffn, const FfnInput& in)
{
    const bool perChannel = ffn.coefficients == CoefficientSharing::perChannel;
    const int terms = ffn.termCount();
    const Polynomial polynomial{.chebyshev = ffn.basis == PolynomialBasis::chebyshev,
                                .first = ffn.terms == PolynomialTerms::odd ? 1 : 0,
                                .step = ffn.terms == PolynomialTerms::all ? 1 : 2,
                                .count = terms,
                                .alpha = in.weights[0]->values,
                                .channelStride = perChannel ? terms : 0};
    const KeptValues kept = keptChannels(plan, ffn, in);
    Tensor* const y = plan.tensor(in.x->rows, in.x->columns);
    const Index d = in.dModel();
    const Matrix x = valuesOf(in.x);
    const Matrix dy = gradientOf(y);
    fill(plan, y, [=] __device__(Index row, Index channel) {
        return kept.has(row, channel) ? polynomial.value(channel, x(row, channel)) : 0.0F;
    });
    addGradient(plan, in.x, [=] __device__(Index row, Index channel) {
        const float slope = polynomial.derivative(channel, x(row, channel));
        return kept.has(row, channel) ? dy(row, channel) * slope : 0.0F;
    });
    // One sum per channel and term over the tokens, or one per term over tokens and channels.
    const Index together = perChannel ? 1 : d;
    const auto share = [=] __device__(Index i, Index column) {
        const Index row = i / together;
        const Index channel = perChannel ? column / terms : i % d;
        const float term = polynomial.termAt(column % terms, x(row, channel));
        return kept.has(row, channel) ? dy(row, channel) * term : 0.0F;
    };
    sumIntoGradient(plan, in.weights[0], in.x->rows * together, share);
    return y;
}

} // namespace flopsmith::cuda
