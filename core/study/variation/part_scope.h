// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/count/cost_tree.h"
#include "core/model/model.h"
#include "core/model/operation.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// How much of a model figures are about.
enum class ScopeKind {
    model,
    block, ///< one block of a run
    ffn, ///< the FFN of one block of a run
};

template <>
std::vector<std::string_view> enumNames<ScopeKind>();

/// The part of a model that figures are about: by default all of it. `run` is a run of blocks; one
/// that the model lacks means its last.
struct PartScope
{
    ScopeKind kind = ScopeKind::model;
    int run = 0;

    bool isModel() const { return kind == ScopeKind::model; }
    bool operator==(const PartScope&) const = default;
};

/// Where the part is in the cost tree of a forward pass: "blocks[6]/ffn"; empty for the model.
std::string scopePath(const Model& model, const PartScope& scope);

/// "FFN of block 7", "block 7"; empty for the model.
std::string scopeText(const Model& model, const PartScope& scope);

/// Whether the model has the part: some blocks have no FFN.
bool hasScope(const Model& model, const PartScope& scope);

/// The tree of one use of the part, in every pass that a training step makes, with the parameters
/// that it shares with other blocks. Paths are those of the whole tree.
CostTree<Count> scopedTree(const CostTree<Count>& tree, const Model& model, const PartScope& scope);

/// The operations to measure of one use of the part, as measuredParts() has those of the model.
std::vector<MeasuredPart> scopedParts(const Scenario& scenario, const PartScope& scope);

} // namespace flopsmith
