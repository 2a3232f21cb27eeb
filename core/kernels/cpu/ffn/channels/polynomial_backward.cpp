// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/channels/polynomial_terms.h"
#include "core/kernels/cpu/select/channels.h"
#include "core/kernels/cpu/select/selection.h"
#include "core/kernels/cpu/simd/activation.h"
#include "core/kernels/cpu/token_backward.h"

namespace flopsmith::cpu {
namespace {

// Sums over the channels of one token, added per token to the sums over all tokens, which follow
// them: two levels of short sums keep the rounding error small over millions of terms.
class SharedSums
{
public:
    SharedSums(float* sums, int terms)
        : m_token(sums)
        , m_length(length(terms) / 2)
    {}

    static std::size_t length(int terms) { return 2 * static_cast<std::size_t>(terms * kLanes); }

    void add(int term, std::size_t /*position*/, Lanes share) const
    {
        float* to = m_token + static_cast<std::size_t>(term * kLanes);
        store(to, load(to) + share);
    }

    void endToken() const
    {
        for (std::size_t i = 0; i < m_length; i += kLanes) {
            store(m_token + m_length + i, load(m_token + m_length + i) + load(m_token + i));
            store(m_token + i, Lanes{});
        }
    }

private:
    float* m_token;
    std::size_t m_length;
};

// A row of sums per term.
struct ChannelSums
{
    float* sums;
    std::size_t stride;

    void add(int term, std::size_t position, Lanes share) const
    {
        float* to = sums + static_cast<std::size_t>(term) * stride + position;
        store(to, load(to) + share);
    }

    void endToken() const {}
};

std::size_t sumCount(const PolynomialFfn& ffn, std::size_t positions)
{
    const auto terms = static_cast<std::size_t>(ffn.termCount());
    return isPerChannel(ffn) ? terms * padded(positions) : SharedSums::length(ffn.termCount());
}

class PolynomialBackwardStage : public TokenBackwardStage
{
public:
    PolynomialBackwardStage(const PolynomialFfn& ffn,
                            const StageSize& size,
                            std::unique_ptr<Stage> forward,
                            ChannelList channels,
                            const std::vector<float>& alpha,
                            std::span<float> gradient)
        : TokenBackwardStage(size, sumCount(ffn, channels.positions()))
        , m_ffn(ffn)
        , m_terms(ffn.termCount())
        , m_forward(std::move(forward))
        , m_channels(std::move(channels))
        , m_alpha(alpha.data())
        , m_gradient(gradient)
        , m_stride(padded(m_channels.positions()))
        , m_width(padded(static_cast<std::size_t>(size.dModel)))
    {
        const auto tokens = static_cast<std::size_t>(size.tokens);
        const auto terms = static_cast<std::size_t>(m_terms);
        m_saved = Buffer(ffn.isConstant() ? 0 : tokens * m_stride);
        m_masks.resize(ffn.selection == ChannelSelection::topK ? tokens * m_width : 0);
        m_slopes.resize(isPerChannel(ffn) ? 0 : terms);
        m_rows = coefficientRows(ffn, m_channels, m_alpha);
        m_slopeRows = m_rows;
    }

    void weightsChanged() override
    {
        m_forward->weightsChanged();
        m_rows = coefficientRows(m_ffn, m_channels, m_alpha);
    }

protected:
    void saveBlock(const float* x, float* y, const TokenBlock& block) override
    {
        m_forward->asTokenStage()->runBlock(x, y, block.tokens, block.thread);
        for (int t = 0; t < block.tokens; ++t, x += dModel()) {
            const auto token = static_cast<std::size_t>(block.first + t);
            if (m_ffn.selection == ChannelSelection::topK) {
                maskLargest(
                    x, dModel(), m_ffn.keptChannels(dModel()), m_masks.data() + token * m_width);
            }
            if (m_ffn.isConstant()) {
                continue;
            }
            float* saved = m_saved.data() + token * m_stride;
            m_channels.gather(x, saved);
            if (m_ffn.basis == PolynomialBasis::chebyshev) {
                tanhRow(saved, m_channels.positions());
            }
        }
    }

    // Coefficients of the derivative: i is m·α_m of the power m that it comes from.
    void begin() override
    {
        const bool odd = m_ffn.terms == PolynomialTerms::odd;
        const int count = odd ? m_terms : m_terms - 1;
        for (int i = 0; i < count; ++i) {
            const int from = odd ? i : i + 1;
            const int power =
                odd ? 2 * i + 1 : (m_ffn.terms == PolynomialTerms::all ? from : 2 * from);
            const auto factor = static_cast<float>(power);
            if (!isPerChannel(m_ffn)) {
                m_slopes[static_cast<std::size_t>(i)] = factor * m_alpha[from];
                continue;
            }
            const float* row = m_rows[static_cast<std::size_t>(from)].data();
            transform(row,
                      m_slopeRows[static_cast<std::size_t>(i)].data(),
                      m_stride,
                      [factor](Lanes a, std::size_t) { return factor * a; });
        }
    }

    void runBlock(const float* dy, float* dx, float* sums, const TokenBlock& block) override
    {
        if (isPerChannel(m_ffn)) {
            runWith(ChannelCoefficients{m_slopeRows.data()},
                    ChannelSums{sums, m_stride},
                    dy,
                    dx,
                    block);
        } else {
            runWith(SharedCoefficients{m_slopes.data()}, SharedSums(sums, m_terms), dy, dx, block);
        }
    }

    void finish(const float* sums) override
    {
        const auto terms = static_cast<std::size_t>(m_terms);
        for (std::size_t i = 0; i < terms; ++i) {
            if (isPerChannel(m_ffn)) {
                m_channels.spread(sums + i * m_stride, m_gradient.data() + i, terms);
            } else {
                m_gradient[i] = sumOf(load(sums + (terms + i) * kLanes));
            }
        }
    }

private:
    template <class Slopes, class Sums>
    void runWith(const Slopes& slopes,
                 const Sums& sums,
                 const float* dy,
                 float* dx,
                 const TokenBlock& block) const
    {
        const PolynomialTerms which = m_ffn.terms;
        const int terms = m_terms;
        const auto value = [&](const auto& backward) {
            return [=](const float* saved) {
                return [=](Lanes g, std::size_t i) {
                    return backward(
                        which,
                        terms,
                        load(saved + i),
                        g,
                        [&](int m) { return slopes(m, i); },
                        [&](int m, Lanes share) { sums.add(m, i, share); });
                };
            };
        };
        if (m_ffn.isConstant()) {
            runTokens(dy, dx, sums, block, [=](const float* /*saved*/) {
                return [=](Lanes g, std::size_t i) {
                    sums.add(0, i, g);
                    return Lanes{};
                };
            });
        } else if (m_ffn.basis == PolynomialBasis::monomial) {
            runTokens(dy, dx, sums, block, value([](auto&&... with) {
                          return monomialBackward(with...);
                      }));
        } else {
            runTokens(dy, dx, sums, block, value([](auto&&... with) {
                          return chebyshevBackward(with...);
                      }));
        }
    }

    // valueOf(saved row)(g, position) is dx of a register.
    template <class Sums, class ValueOf>
    void runTokens(const float* dy,
                   float* dx,
                   const Sums& sums,
                   const TokenBlock& block,
                   const ValueOf& valueOf) const
    {
        for (int t = 0; t < block.tokens; ++t, dy += dModel(), dx += dModel()) {
            const auto token = static_cast<std::size_t>(block.first + t);
            const auto value =
                valueOf(m_ffn.isConstant() ? nullptr : m_saved.data() + token * m_stride);
            if (m_ffn.selection == ChannelSelection::fixed) {
                m_channels.mapChosen(dy, dx, value);
            } else {
                const auto d = static_cast<std::size_t>(dModel());
                transformChosen(dy, dx, m_masks.data() + token * m_width, d, value);
            }
            sums.endToken();
        }
    }

    PolynomialFfn m_ffn;
    int m_terms;
    std::unique_ptr<Stage> m_forward;
    ChannelList m_channels;
    const float* m_alpha;
    std::span<float> m_gradient;
    std::size_t m_stride; ///< of a row of saved channels
    std::size_t m_width; ///< of a mask
    Buffer m_saved; ///< per token: x, or tanh x, of the list's channels
    LedgerVector<std::int32_t> m_masks; ///< of top_k, per token
    std::vector<float> m_slopes; ///< shared
    std::vector<LedgerVector<float>> m_rows; ///< coefficients per channel, a row per term
    std::vector<LedgerVector<float>> m_slopeRows;
};

} // namespace

Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const PolynomialFfn& ffn,
                                                         const StageSize& size,
                                                         WeightView<float> weights,
                                                         GradientSpans gradients)
{
    FLOPSMITH_TRY(std::unique_ptr<Stage> forward, makeStage(ffn, size, weights));
    return std::unique_ptr<BackwardStage>(std::make_unique<PolynomialBackwardStage>(
        ffn, size, std::move(forward), channelsOf(ffn, size.dModel), weights[0], gradients[0]));
}

} // namespace flopsmith::cpu
