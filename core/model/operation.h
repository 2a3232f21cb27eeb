// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/model/model.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace flopsmith {

struct NormOperation
{
    Norm norm;
    bool operator==(const NormOperation&) const = default;
};

/// x + f(x) on [T, d], or x + f(x) + g(x).
struct ResidualOperation
{
    Residual residual{};
    bool operator==(const ResidualOperation&) const = default;
};

struct EmbeddingOperation
{
    Embedding embedding;
    bool operator==(const EmbeddingOperation&) const = default;
};

struct HeadOperation
{
    Head head;
    int vocab = 50257;
    int width = 0; ///< of the token table; 0: d
    bool operator==(const HeadOperation&) const = default;

    TokenTable tokenTable() const { return {vocab, width}; }
};

/// A forward pass of a whole model. The operation's sizes are the decoder's, or the only half's.
struct ModelOperation
{
    Model model;
    bool operator==(const ModelOperation&) const = default;
};

/// The specification of a part of a model.
using PartSpec = std::variant<FfnSpec,
                              MixerSpec,
                              NormOperation,
                              ResidualOperation,
                              EmbeddingOperation,
                              HeadOperation>;

/// "LM head", "Classifier"; empty without a head.
std::string_view headTitle(const Head& head);

/// Which direction of training is executed.
enum class ComputePass {
    forward,
    backward, ///< gradients of the input and of every weight, the forward pass being done
};

template <>
std::vector<std::string_view> enumNames<ComputePass>();

/// A part of a model, or a whole one, that a bench program can execute and time separately.
struct Operation
{
    std::variant<FfnSpec,
                 MixerSpec,
                 NormOperation,
                 ResidualOperation,
                 EmbeddingOperation,
                 HeadOperation,
                 ModelOperation>
        what;
    int dModel = 768;
    int batch = 1;
    int sequence = 1; ///< query tokens per sequence
    int context = 1; ///< keys that the last token sees
    int source = 0; ///< encoder tokens per sequence, for cross-attention; 0: as many as `context`
    ComputePass pass = ComputePass::forward;

    bool operator==(const Operation&) const = default;
};

/// The exact cost of one use of the operation in its pass. A backward pass has no parameters.
CostTree<Count> costTree(const Operation& operation, PairsRule pairs = PairsRule::exact);

/// One line of a run-time table: an operation, and how often the model executes it.
struct MeasuredPart
{
    std::string path; ///< where it first occurs: "blocks[0]/attention", "blocks[6]/ffn/spectral"
    std::string title; ///< "Attention", "Spectral"
    const Component* component = nullptr;
    Operation operation;
    int uses = 1;
    /// For a stage measured alone: index in the plan of the composed FFN whose time already
    /// includes it, so that it does not add to the total; otherwise -1.
    int partOf = -1;
    std::vector<std::string> elsewhere{}; ///< paths of further equal operations

    bool addsToTotal() const { return partOf < 0; }
    bool operator==(const MeasuredPart&) const = default;
};

/// The operations to measure for one pass of the scenario, equal ones once, in the order of the
/// forward pass. The total is the sum of time × uses over the parts that add to it.
std::vector<MeasuredPart> measuredParts(const Scenario& scenario,
                                        ComputePass pass = ComputePass::forward);

/// The forward pass of the whole model as one operation, to compare with the sum of its parts; in
/// training without dropout, like its parts. Nothing in decode: whole models are executed without a
/// cache.
std::optional<MeasuredPart> measuredWhole(const Scenario& scenario);

/// The scenario that a ModelOperation executes.
Scenario scenarioOf(const ModelOperation& whole, const Operation& sizes);

} // namespace flopsmith
