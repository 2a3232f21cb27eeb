// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/layer/optimizer.h"

#include <string>
#include <string_view>

namespace flopsmith {

enum class Phase {
    prefill, ///< S new tokens per sequence at once
    decode, ///< one new token per sequence, after C − 1 cached ones
    train, ///< forward and backward pass of S tokens per sequence, and the update of the weights
};

template <>
std::vector<std::string_view> enumNames<Phase>();

/// Which activations a training step saves, and so which it recomputes.
enum class Checkpointing {
    none, ///< all activations that the backward pass reads are saved
    selective, ///< materialised attention scores and probabilities are recomputed
    full, ///< only each block's input is saved, and its forward pass is recomputed
};

template <>
std::vector<std::string_view> enumNames<Checkpointing>();

/// Bits per stored element.
struct Precision
{
    int weightBits = 32;
    int activationBits = 32;
    int kvBits = 32;
    /// Quantised weights that share a scale: 4 bits in groups of 32 with 16 bits each make 4.5 bits
    /// per weight. 0: no groups.
    int weightGroup = 0;
    int weightGroupBits = 16; ///< a group's scale and, where there is one, its zero point

    bool operator==(const Precision&) const = default;

    /// All of them as wide.
    static Precision of(int bits)
    {
        return {.weightBits = bits, .activationBits = bits, .kvBits = bits};
    }

    bool hasGroups() const { return weightGroup > 0 && weightBits <= 8; }
};

/// "16 bit", or where they differ "weights 4 bit, activations 16 bit, cache 8 bit".
std::string precisionText(const Precision& precision);

/// The sizes of one forward pass or one training step.
struct Workload
{
    Phase phase = Phase::prefill;
    int batch = 1; ///< B, sequences
    int sequence = 1024; ///< S; in decode only the default of the context
    int context = 0; ///< C in decode; 0: as `sequence`
    int source = 0; ///< of an encoder-decoder's encoder; 0: as `sequence`, in decode too
    Precision precision{};
    Optimizer optimizer = Optimizer::adam;
    Checkpointing checkpointing = Checkpointing::none;

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
