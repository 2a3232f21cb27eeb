// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/layer/optimizer.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace flopsmith {

enum class Phase {
    prefill, ///< S new tokens per sequence in one pass
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

/// The kinds of weights that files distinguish when they quantise.
enum class WeightKind {
    matrices, ///< of linear layers, and all weights of no other kind
    experts, ///< matrices of routed experts
    embedding, ///< tables
    head, ///< matrix of the LM head, if it is not the table of tokens
    vectors, ///< norms, biases, routers
};

inline constexpr std::size_t kWeightKinds = static_cast<std::size_t>(WeightKind::vectors) + 1;

/// How weights of one kind are stored. Quantised ones may share a scale: 4 bits in groups of 32 with 16
/// bits each make 4.5 bits per weight.
struct WeightFormat
{
    int bits = 32;
    int group = 0; ///< weights with one scale; 0: no groups
    int groupBits = 16; ///< a group's scale and, where there is one, its zero point

    bool operator==(const WeightFormat&) const = default;

    bool hasGroups() const { return group > 0 && bits <= 8; }
};

/// Bits per stored element.
struct Precision
{
    int weightBits = 32;
    int activationBits = 32;
    int kvBits = 32;
    int weightGroup = 0; ///< see WeightFormat
    int weightGroupBits = 16;
    // Kinds with a format of their own; 0 bits: like the other weights.
    int expertBits = 0;
    int expertGroup = 0;
    int expertGroupBits = 16;
    int embeddingBits = 0;
    int headBits = 0;
    int vectorBits = 0;
    int gradientBits = 0;

    bool operator==(const Precision&) const = default;

    /// The same width for all numbers.
    static Precision of(int bits)
    {
        return {.weightBits = bits, .activationBits = bits, .kvBits = bits};
    }

    WeightFormat format(WeightKind kind) const;
    int bitsOfGradients() const { return gradientBits > 0 ? gradientBits : weightBits; }

    /// Whether all kinds of weights have one format.
    bool hasOneFormat() const
    {
        return expertBits == 0 && embeddingBits == 0 && headBits == 0 && vectorBits == 0;
    }
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
    int source = 0; ///< for the encoder of an encoder-decoder; 0: same as `sequence`, in decode too
    Precision precision{};
    Optimizer optimizer = Optimizer::adam;
    Checkpointing checkpointing = Checkpointing::none;

    bool operator==(const Workload&) const = default;

    /// Tokens per sequence that pass through a model of tokens. For images the model determines the
    /// number: see Scenario.
    int queryTokens() const { return phase == Phase::decode ? 1 : sequence; }

    /// Keys that the last token sees.
    int keys() const { return phase == Phase::decode && context > 0 ? context : sequence; }

    /// Encoder tokens per sequence.
    int sourceTokens() const { return source > 0 ? source : sequence; }

    static const std::vector<Field<Workload>>& fields();
};

} // namespace flopsmith
