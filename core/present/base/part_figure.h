// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/memory.h"
#include "core/count/component.h"

#include <string>
#include <vector>

namespace flopsmith {

/// What a figure in a chart or a table counts.
enum class FigureKind {
    flops, ///< under the lens
    parameters, ///< trainable ones
    weights, ///< bytes, as stored; with `fixed`, `gradients` … the kinds of memory()
    fixed,
    gradients,
    optimizer,
    activations,
    cache,
    temporary,
    memory, ///< all bytes that a device holds
    moved, ///< bytes between memory and the device in one pass
    leastTime, ///< that the roofs of a device allow
    measuredTime,
};

/// A figure of a part of the model: of the part at a path of the cost tree, of a component, of a
/// component's operations in that part, or, where both are empty, of the whole model.
struct PartFigure
{
    FigureKind kind = FigureKind::flops;
    std::string path{};
    std::vector<std::string> elsewhere{}; ///< of further parts that the figure adds up
    const Component* component = nullptr; ///< with a path: its operations there
    bool isOfOneUse = false; ///< of the path, instead of all its uses
};

/// The figure of one kind of memory.
constexpr FigureKind figureKindOf(MemoryKind kind)
{
    switch (kind) {
    case MemoryKind::weights: return FigureKind::weights;
    case MemoryKind::fixed: return FigureKind::fixed;
    case MemoryKind::gradients: return FigureKind::gradients;
    case MemoryKind::optimizer: return FigureKind::optimizer;
    case MemoryKind::activations: return FigureKind::activations;
    case MemoryKind::kvCache: return FigureKind::cache;
    case MemoryKind::temporary: return FigureKind::temporary;
    }
    return FigureKind::memory;
}

} // namespace flopsmith
