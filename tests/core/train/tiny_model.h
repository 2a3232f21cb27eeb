// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"
#include "core/ffn/ffn.h"
#include "core/model/model.h"
#include "core/train/batch.h"
#include "tests/support/small_scenario.h"

#include <string>
#include <vector>

namespace flopsmith::test {

/// A training step of a small language model with two blocks: 2 sequences of 5 tokens.
inline Scenario tinyModel(const FfnSpec& ffn)
{
    Scenario scenario = smallPreset("gpt2", Phase::train);
    scenario.model.runs.front().block.ffn = ffn;
    return small(scenario);
}

/// For names of parameterised tests: "2_spectral", the place in the registry and the kind.
inline std::string nameOfFfn(std::size_t index)
{
    return std::to_string(index) + "_" + std::string(info(ffnPrototypes()[index]).id);
}

/// Random tokens, of which the label of each is a fixed one: a task that is learned in no time.
template <class S>
TrainingBatch<S> fixedMap(const Scenario& scenario, std::uint64_t seed)
{
    Random random(seed);
    TrainingBatch<S> batch;
    const int vocab = scenario.model.embedding.vocab;
    for (int i = 0; i < scenario.workload.batch * scenario.workload.sequence; ++i) {
        batch.inputs.tokens.push_back(static_cast<int>(random.integer(0, vocab - 1)));
        batch.targets.labels.push_back((3 * batch.inputs.tokens.back() + 1) % vocab);
    }
    return batch;
}

} // namespace flopsmith::test
