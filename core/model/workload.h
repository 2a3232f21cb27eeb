// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"

#include <string_view>

namespace flopsmith {

enum class Phase {
    prefill, ///< S new tokens per sequence at once
    decode, ///< one new token per sequence, after C − 1 cached ones
};

template <>
std::vector<std::string_view> enumNames<Phase>();

/// Bits per stored element.
struct Precision
{
    int weightBits = 32;
    int activationBits = 32;
    int kvBits = 32;

    bool operator==(const Precision&) const = default;
};

/// What the model is asked to do in one forward pass.
struct Workload
{
    Phase phase = Phase::prefill;
    int batch = 1; ///< B, sequences
    int sequence = 1024; ///< S; in decode only the default of the context
    int context = 0; ///< C in decode; 0 means as long as `sequence`
    int source = 0; ///< tokens per sequence of an encoder-decoder's encoder; 0: as `sequence`
    Precision precision{};

    bool operator==(const Workload&) const = default;

    /// Tokens per sequence that pass through a model of tokens. How many an image becomes is the
    /// model's business: see Scenario.
    int queryTokens() const { return phase == Phase::decode ? 1 : sequence; }

    /// Keys that the last token sees.
    int keys() const { return phase == Phase::decode && context > 0 ? context : sequence; }

    /// Encoder tokens per sequence.
    int sourceTokens() const { return source > 0 ? source : sequence; }

    static const std::vector<Field<Workload>>& fields();
};

} // namespace flopsmith
