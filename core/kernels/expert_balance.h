// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/moe.h"

#include <cmath>
#include <cstdint>
#include <span>

namespace flopsmith {

/// The balance loss of mixtures of experts (Fedus et al. 2021, Switch Transformers): for each mixture
///   α·E·Σ_e f_e·P_e
/// with f_e the share of the rows that expert e gets and P_e the mean of its scores over the tokens.
/// f is a constant for the gradient. It needs scores of all experts that sum to 1.
struct ExpertBalance
{
    double coefficient = 0.0; ///< α; 0: loads are recorded, but not balanced
    double loss = 0.0; ///< of all mixtures of a step
    double entropies = 0.0; ///< of the loads, 1 each if they are even; summed over the mixtures
    int mixtures = 0;

    bool balances(const MoeFfn& ffn) const { return coefficient > 0.0 && hasBalanceLoss(ffn); }

    static bool hasBalanceLoss(const MoeFfn& ffn)
    {
        return ffn.score == RouterScore::softmax && ffn.scored == ScoredExperts::all;
    }

    /// The gradient of the loss by an expert's score is this times the number of its rows.
    double gradientPerRow(const MoeFfn& ffn, std::int64_t tokens) const
    {
        const auto t = static_cast<double>(tokens);
        return coefficient * ffn.experts / (t * t * ffn.perToken);
    }

    /// The rows of each expert of one mixture.
    void noteLoads(std::span<const std::int64_t> rows)
    {
        double sum = 0.0;
        for (const std::int64_t each : rows) {
            sum += static_cast<double>(each);
        }
        double entropy = 0.0;
        for (const std::int64_t each : rows) {
            const double share = static_cast<double>(each) / sum;
            entropy -= share > 0.0 ? share * std::log(share) : 0.0;
        }
        entropies += rows.size() > 1 ? entropy / std::log(static_cast<double>(rows.size())) : 1.0;
        ++mixtures;
    }
};

/// Within its lifetime, backward passes in this thread balance experts and note their loads.
class BalanceScope
{
public:
    explicit BalanceScope(ExpertBalance& balance)
        : m_outer(current())
    {
        current() = &balance;
    }

    ~BalanceScope() { current() = m_outer; }
    BalanceScope(const BalanceScope&) = delete;
    BalanceScope& operator=(const BalanceScope&) = delete;

    /// Null outside every scope.
    static ExpertBalance*& current()
    {
        thread_local ExpertBalance* balance = nullptr;
        return balance;
    }

private:
    ExpertBalance* m_outer;
};

} // namespace flopsmith
