// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/count/lens.h"
#include "core/count/numbers.h"
#include "core/model/model.h"

namespace flopsmith {

/// The cost of one forward pass as a tree, or of one training step (see training_cost.h). Defined in
/// scenario_cost.h and compiled for Count in model_cost.cpp, for symbols in core/formula.
template <class N>
CostTree<N> costTree(const Scenario& scenario, PairsRule pairs, const Numbers<N>& numbers);

/// The exact integers.
CostTree<Count> costTree(const Scenario& scenario, PairsRule pairs = PairsRule::exact);

/// Elements packed at `bits` each, in whole bytes.
Count packedBytes(Count elements, int bits);

/// Stored weights: packed, plus the scale and zero point of every (also partial) group.
Count weightBytes(Count elements, const Precision& precision);

/// Bytes of a traffic at a precision; packed elements round up to whole bytes.
struct TrafficBytes
{
    Count weights = 0;
    Count read = 0;
    Count written = 0;
    Count kvRead = 0;
    Count kvWritten = 0;
    Count gradients = 0; ///< of weights, in the precision of the weights
    Count states = 0; ///< of the optimizer, 32 bits each

    Count total() const
    {
        return weights + read + written + kvRead + kvWritten + gradients + states;
    }
    bool operator==(const TrafficBytes&) const = default;
};

TrafficBytes bytes(const Traffic<Count>& traffic, const Precision& precision);

/// Bytes that one decoder token appends to the KV caches of all blocks.
Count kvCacheBytesPerToken(const Scenario& scenario);

/// The counts that are nominal: `fft`, and `cmp` of data-dependent selection. Zero elsewhere.
OpCount<Count> nominalCount(const CostTree<Count>& tree);

} // namespace flopsmith
