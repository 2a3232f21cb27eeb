// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/count/lens.h"
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

/// Weights of one kind: packed, plus the scale and zero point of every (also partial) group.
Count storedBytes(Count elements, const WeightFormat& format);

/// The format of an operation's matrices. Some weights of every operation are vectors.
WeightKind weightKind(const CostTree<Count>::Node& operation);

/// The trainable weights of a model as they are stored, each kind packed separately.
Count weightBytes(const CostTree<Count>& tree, const Precision& precision);

/// Bytes of a traffic at a precision; packed elements round up to whole bytes.
struct TrafficBytes
{
    Count weights = 0;
    Count read = 0;
    Count written = 0;
    Count kvRead = 0;
    Count kvWritten = 0;
    Count gradients = 0; ///< of weights
    Count states = 0; ///< of the optimizer, 32 bits each

    Count total() const
    {
        return weights + read + written + kvRead + kvWritten + gradients + states;
    }
    bool operator==(const TrafficBytes&) const = default;
};

/// All weights are stored as matrices of linear layers are: this precision does not distinguish
/// kinds.
TrafficBytes bytes(const Traffic<Count>& traffic, const Precision& precision);

/// Of an operation, and of several uses of a part, with each weight in the format of its kind.
TrafficBytes bytes(const CostTree<Count>::Node& operation, const Precision& precision);
TrafficBytes bytes(const CostTree<Count>& tree,
                   int part,
                   const Precision& precision,
                   const Count& uses = 1);

/// The trainable parameters that multiply for one token: only the experts that it is sent to, and
/// no token table unless the head multiplies by it, since a look-up reads one row. The gpt-oss
/// model card counts this way; the cards of Mixtral and Qwen3 add the table.
Count activeParameters(const CostTree<Count>& tree, const Model& model);

/// Bytes that one decoder token appends to the KV caches of all blocks.
Count kvCacheBytesPerToken(const Scenario& scenario);

/// The counts that are nominal: `fft`, and `cmp` of data-dependent selection. Zero elsewhere.
OpCount<Count> nominalCount(const CostTree<Count>& tree);

} // namespace flopsmith
