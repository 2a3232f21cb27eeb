// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/base/legal_rule.h"
#include "core/base/result.h"
#include "core/count/component.h"
#include "core/model/model.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// The part of a scenario that, together with d_model, decides whether a parameter applies, its
/// meaning and its legal values: where neither changed, the verdict on the parameter is unchanged.
struct ParameterScope
{
    enum class Part {
        scenario, ///< all of it
        workload,
        embedding,
        encoderNorm,
        finalNorm,
        head,
        mixer,
        cross,
        ffn,
        block,
        run, ///< the block and how often it is repeated
        halves, ///< the half of each block, cross-attention, and share groups
    };
    Part part = Part::scenario;
    int run = -1; ///< the run that the mixer, cross-attention, FFN or block belongs to

    bool operator==(const ParameterScope&) const = default;
};

/// Whether the part is equal in two scenarios of the same structure, and d_model too if it matters.
bool isSameIn(const ParameterScope& scope, const Scenario& a, const Scenario& b);

/// One editable number of a scenario, with all that a slider, an axis, a file or a help text needs.
/// Values are read from and written to a scenario that is passed in, so a Parameter stays valid
/// for every scenario of the same structure (same runs, same variants).
struct Parameter
{
    std::string key; ///< "d_model", "seq", "blocks[6].ffn.spectral.k_freq"
    std::string group; ///< heading: "Model", "Workload", "Attention", "Spectral"
    const Component* component = nullptr; ///< gives the slider its colour
    FieldText text;
    std::function<FieldValue(const Scenario&)> value;
    std::function<void(Scenario&, const FieldValue&)> assign;
    LegalRule<Scenario> legal;
    std::function<bool(const Scenario&)> applies;
    ParameterScope scope{};
};

/// batch, seq, context, phase, bits.
std::vector<Parameter> workloadParameters();

/// d_model, layers, vocabulary, positions, final norm, head.
std::vector<Parameter> modelParameters();

/// Of one run of blocks: its mixer, its FFN (each stage of a composed one under its own heading),
/// its norms. Keys start with "blocks[FIRST].".
std::vector<Parameter> blockParameters(const Scenario& scenario, int run);

/// All of the above, in the order of the window.
std::vector<Parameter> allParameters(const Scenario& scenario);

/// Parameters of one part of a scenario, valid for every scenario of the same structure.
using ParameterList = std::shared_ptr<const std::vector<Parameter>>;

/// The parameters of allParameters(), part by part and without a copy: each thread caches the lists
/// that it built last, as long as the structure is the same. A slider of a deep model needs
/// thousands of parameters at every step.
std::vector<ParameterList> parameterTable(const Scenario& scenario);

/// The lists that workloadParameters(), modelParameters() and blockParameters() copy.
ParameterList workloadParameterList();
ParameterList modelParameterList();
ParameterList blockParameterList(const Scenario& scenario, int run);

/// The parameters that a key means. The key's dot-separated parts must occur in a full key in this
/// order, the last one being the parameter's own name: "k_freq", "ffn.k_freq" and
/// "blocks[6].k_freq" all mean "blocks[6].ffn.spectral.k_freq"; without a block, the parameter of
/// every block is meant. Those that do not apply are left out.
std::vector<Parameter> matchingParameters(const Scenario& scenario, std::string_view key);

/// Sets every parameter that the key means, from text as the command line has it. A key that names
/// one block of a run, or some ("blocks[0-5].d_ff"), splits the run. Nothing changes unless all of
/// it is possible; legality is validation's business, after all settings are made.
Status setParameter(Scenario& scenario, std::string_view key, std::string_view text);

/// Moves every number that other changes made illegal to its nearest legal value (k_freq after
/// d_model shrank, kv_heads after heads changed), so that a slider never leads out of the legal.
void repair(Scenario& scenario);

/// assign() and then repair(), as a slider does.
void setAndRepair(Scenario& scenario, const Parameter& parameter, const FieldValue& value);

} // namespace flopsmith
