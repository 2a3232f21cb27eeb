// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"

#include <cmath>
#include <cstdint>
#include <string_view>

namespace flopsmith {

/// Converts the sizes of a specification to the number type of a cost formula. For Count that is
/// the value itself; core/formula specialises it for symbols, so that the same formula yields both
/// the number and its text.
template <class N>
class Numbers;

/// Nominal operations of one real FFT of length n: 2.5 n log2 n, rounded to the nearest integer.
inline Count nominalRealFft(std::int64_t n)
{
    const auto length = static_cast<double>(n);
    return static_cast<Count>(std::llround(2.5 * length * std::log2(length)));
}

/// The same of one complex FFT: 5 n log2 n.
inline Count nominalComplexFft(std::int64_t n)
{
    const auto length = static_cast<double>(n);
    return static_cast<Count>(std::llround(5.0 * length * std::log2(length)));
}

template <>
class Numbers<Count>
{
public:
    /// `symbol` names the size in formulas ("f"); `meaning` says how it follows from other sizes.
    Count operator()(std::string_view /*symbol*/,
                     std::int64_t value,
                     std::string_view /*meaning*/ = {}) const
    {
        return value;
    }

    /// Nominal operations of a real FFT; `length` and `value` are the same length.
    Count realFft(const Count& /*length*/, std::int64_t value) const
    {
        return nominalRealFft(value);
    }

    Count complexFft(const Count& /*length*/, std::int64_t value) const
    {
        return nominalComplexFft(value);
    }
};

/// Which query-key pairs of causal attention are charged.
enum class PairsRule {
    exact, ///< the pairs that the mask allows
    half, ///< half of all pairs, as the authors of flash attention count
    full, ///< all, as most tools count
};

/// The sizes of one forward pass through a layer, as formula numbers and, for choices that a
/// formula cannot express, also as plain integers.
template <class N>
struct Pass
{
    const Numbers<N>& numbers;
    N batch;
    N sequence; ///< S, query tokens per sequence
    N context; ///< C, keys that the last query sees
    N dModel;
    int batchValue = 1;
    int dModelValue = 0;
    int sequenceValue = 0;
    int contextValue = 0;
    PairsRule pairs = PairsRule::exact;
    N source{0}; ///< S_src, tokens of the encoder per sequence, for cross-attention
    int sourceValue = 0; ///< 0: not given; cross-attention then uses C
    bool training = false; ///< a forward pass that a backward pass follows: dropout acts

    N tokens() const { return batch * sequence; }
};

} // namespace flopsmith
