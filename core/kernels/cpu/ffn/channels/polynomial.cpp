// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/channels/polynomial_terms.h"
#include "core/kernels/cpu/select/channels.h"
#include "core/kernels/cpu/select/selection.h"
#include "core/kernels/cpu/simd/vector_math.h"
#include "core/kernels/cpu/stage.h"

namespace flopsmith::cpu {
namespace {

template <class At>
Lanes monomial(PolynomialTerms which, int terms, Lanes x, const At& at)
{
    switch (which) {
    case PolynomialTerms::all: return horner(terms, x, at);
    case PolynomialTerms::odd: return horner(terms, x * x, at) * x;
    case PolynomialTerms::even: return horner(terms, x * x, at);
    }
    return x;
}

// Σ a_m·T_m(v)
template <class At>
Lanes chebyshevSum(int terms, Lanes v, const At& at)
{
    const auto [here, above] = clenshaw(terms, 1, v, at);
    return at(0) + (v * here - above);
}

template <class At>
Lanes chebyshev(PolynomialTerms which, int terms, Lanes x, const At& at)
{
    if (which == PolynomialTerms::even && terms == 1) {
        return at(0); // T_0 = 1
    }
    const Lanes u = tanh(x);
    if (which == PolynomialTerms::all) {
        return chebyshevSum(terms, u, at);
    }
    const Lanes second = 2.0F * u * u - 1.0F; // T_2(u)
    if (which == PolynomialTerms::even) {
        return chebyshevSum(terms, second, at); // T_{2m}(u) = T_m(T_2(u))
    }
    const auto [here, above] = clenshaw(terms, 0, second, at); // as the reference explains
    return (here - above) * u;
}

class PolynomialStage : public TokenStage
{
public:
    PolynomialStage(const PolynomialFfn& ffn,
                    const StageSize& size,
                    const std::vector<float>& alpha)
        : TokenStage(size)
        , m_ffn(ffn)
        , m_terms(ffn.termCount())
        , m_keptChannels(ffn.keptChannels(size.dModel))
        , m_channels(channelsOf(ffn, size.dModel))
        , m_shared(alpha.data())
    {
        weightsChanged();
        if (ffn.selection == ChannelSelection::topK) {
            m_scratch.resize(static_cast<std::size_t>(threads())
                             * padded(static_cast<std::size_t>(size.dModel)));
        }
    }

    void weightsChanged() final { m_rows = coefficientRows(m_ffn, m_channels, m_shared); }

    void runBlock(const float* x, float* y, int tokens, int thread) override
    {
        if (isPerChannel(m_ffn)) {
            runWith(ChannelCoefficients{m_rows.data()}, x, y, tokens, thread);
        } else {
            runWith(SharedCoefficients{m_shared}, x, y, tokens, thread);
        }
    }

private:
    template <class Coefficients>
    void runWith(const Coefficients& a, const float* x, float* y, int tokens, int thread)
    {
        const PolynomialTerms which = m_ffn.terms;
        const int terms = m_terms;
        if (m_ffn.basis == PolynomialBasis::monomial) {
            runBasis(x, y, tokens, thread, [=](Lanes v, std::size_t i) {
                return monomial(which, terms, v, [&](int m) { return a(m, i); });
            });
        } else {
            runBasis(x, y, tokens, thread, [=](Lanes v, std::size_t i) {
                return chebyshev(which, terms, v, [&](int m) { return a(m, i); });
            });
        }
    }

    template <class Value>
    void runBasis(const float* x, float* y, int tokens, int thread, const Value& value)
    {
        const auto d = static_cast<std::size_t>(dModel());
        LargestSearch search;
        for (int t = 0; t < tokens; ++t, x += d, y += d) {
            if (m_ffn.selection == ChannelSelection::fixed) {
                m_channels.map(x, y, value);
                continue;
            }
            std::int32_t* scratch = m_scratch.data() + static_cast<std::size_t>(thread) * padded(d);
            transformLargest(x, y, search(x, dModel(), m_keptChannels, scratch), d, value);
        }
    }

    PolynomialFfn m_ffn;
    int m_terms;
    int m_keptChannels;
    ChannelList m_channels;
    const float* m_shared;
    std::vector<LedgerVector<float>> m_rows; ///< coefficients per channel, a row per term
    LedgerVector<std::int32_t> m_scratch; ///< of top_k, to choose in: one token per thread
};

} // namespace

Result<std::unique_ptr<Stage>> makeStage(const PolynomialFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights)
{
    return std::unique_ptr<Stage>(std::make_unique<PolynomialStage>(ffn, size, weights[0]));
}

} // namespace flopsmith::cpu
