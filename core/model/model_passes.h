// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/model/model.h"

namespace flopsmith {

/// The passes through encoder and decoder. Without an encoder its pass is unused and equals the
/// decoder's.
template <class N>
struct ModelPasses
{
    Pass<N> decoder;
    Pass<N> encoder;
    /// False in decode, where the encoder's output comes from the prefill: its parameters count,
    /// its operations do not.
    bool executesEncoder = true;
};

/// A pass of `sequenceValue` tokens that see each other, or of the last tokens of a context.
template <class N>
Pass<N> passOf(const Scenario& scenario, PairsRule pairs, const Numbers<N>& numbers)
{
    const Workload& workload = scenario.workload;
    const bool decodes = workload.phase == Phase::decode;
    const int tokens = scenario.queryTokens();
    const N sequence = decodes ? N(1) : numbers("S", tokens);
    const N context = decodes ? numbers("C", scenario.keys()) : sequence;
    Pass<N> pass{.numbers = numbers,
                 .batch = numbers("B", workload.batch),
                 .sequence = sequence,
                 .context = context,
                 .dModel = numbers("d", scenario.model.dModel),
                 .batchValue = workload.batch,
                 .dModelValue = scenario.model.dModel,
                 .sequenceValue = tokens,
                 .contextValue = scenario.keys(),
                 .pairs = pairs,
                 .training = workload.phase == Phase::train};
    if (scenario.model.hasEncoder()) {
        const bool asLong = workload.source == 0 && !decodes;
        pass.sourceValue = scenario.sourceTokens();
        pass.source = asLong ? sequence : numbers("S_src", pass.sourceValue);
    }
    return pass;
}

/// The passes of a scenario through its model, in formula numbers.
template <class N>
ModelPasses<N> passesOf(const Scenario& scenario, PairsRule pairs, const Numbers<N>& numbers)
{
    const Pass<N> decoder = passOf(scenario, pairs, numbers);
    Pass<N> encoder = decoder;
    if (scenario.model.hasEncoder()) {
        encoder.sequence = encoder.context = decoder.source;
        encoder.sequenceValue = encoder.contextValue = decoder.sourceValue;
    }
    return {decoder, encoder, scenario.workload.phase != Phase::decode};
}

/// The pass of the half that the block belongs to.
template <class N>
const Pass<N>& passOf(const Block& block, const ModelPasses<N>& passes)
{
    return block.isEncoder() ? passes.encoder : passes.decoder;
}

} // namespace flopsmith
