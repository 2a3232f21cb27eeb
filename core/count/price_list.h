// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"

#include <array>
#include <cstddef>

namespace flopsmith {

/// Charges for one operation besides its multiply-adds.
struct ScalarCharge
{
    int perElement = 0; ///< for each output element, independent of the executed operations
    bool perOperation = false; ///< 1 for each scalar operation that is executed

    constexpr bool isNothing() const { return perElement == 0 && !perOperation; }
};

/// A convention with a price for every kind of operation.
struct PriceList
{
    int perMac = 0; ///< for each multiply-add of a contraction
    int perDot = 0; ///< for each dot product that the multiply-adds form
    bool seesAttention = true; ///< false: charges nothing between a mixer's projections
    std::array<ScalarCharge, kOpKinds> scalars{}; ///< by OpKind

    constexpr const ScalarCharge& of(OpKind kind) const
    {
        return scalars[static_cast<std::size_t>(kind)];
    }
    constexpr ScalarCharge& of(OpKind kind) { return scalars[static_cast<std::size_t>(kind)]; }
};

/// The operations outside contractions: mul + add + div + sqrt + exp + cmp + fft.
template <class N>
N scalarOperations(const OpCount<N>& c)
{
    return c.mul + c.add + c.div + c.sqrt + c.exp + c.cmp + c.fft;
}

constexpr bool isAttentionCore(OpKind kind)
{
    return kind == OpKind::scores || kind == OpKind::weightedSum;
}

/// What mixes the tokens of a sequence: attention's core, or a recurrence.
constexpr bool isMixerCore(OpKind kind)
{
    return isAttentionCore(kind) || kind == OpKind::scan;
}

/// Multiply-adds of the operation that are charged for.
template <class N>
N macsSeen(const PriceList& list, const typename CostTree<N>::Node& node)
{
    const bool seen = list.perMac > 0 && (list.seesAttention || !isMixerCore(node.kind));
    return seen ? node.cost.count.mac : N(0);
}

/// Charged for the operation in addition to its counts.
template <class N>
N scalarsCharged(const PriceList& list, const typename CostTree<N>::Node& node)
{
    const ScalarCharge& charge = list.of(node.kind);
    N sum = N(list.perDot) * node.cost.count.dot;
    if (charge.perElement > 0) {
        sum += N(charge.perElement) * node.elements;
    }
    if (charge.perOperation) {
        sum += scalarOperations(node.cost.count);
    }
    return sum;
}

} // namespace flopsmith
