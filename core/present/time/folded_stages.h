// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/model/operation.h"
#include "core/present/time/share.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

// Composed FFNs as one part each: their stages belong to them.
namespace flopsmith {

/// Whether some blocks have a composed FFN.
bool hasComposedFfn(const Model& model);

/// The tree in which every operation of a composed FFN has the component of the whole FFN.
CostTree<Count> withStagesFolded(CostTree<Count> tree);

/// The indices of the parts that are no stage.
std::vector<std::size_t> partsWithoutStages(std::span<const MeasuredPart> parts);

/// "UltraEfficientSparse"; where composed FFNs differ, "Composed FFN".
std::string composedTitle(const Model& model);

/// Gives the slice of the composed FFNs their title, and their places in the tree.
void nameComposedFfns(std::vector<Donut>& donuts, const Model& model);

} // namespace flopsmith
