// SPDX-License-Identifier: MIT
#include "core/model/training_step.h"

#include "core/mixer/mixer_variants.h"

#include <algorithm>

namespace flopsmith {

bool hasLoss(const Model& model)
{
    return model.head.isLm() || model.head.hasClasses();
}

bool writesScores(const MixerSpec& mixer)
{
    return visit(
        [](const auto& spec) {
            if constexpr (requires { spec.algorithm == AttentionAlgorithm::materialised; }) {
                return spec.algorithm == AttentionAlgorithm::materialised;
            } else {
                return false;
            }
        },
        mixer);
}

bool recomputes(const Scenario& scenario)
{
    const auto& runs = scenario.model.runs;
    switch (scenario.workload.checkpointing) {
    case Checkpointing::none: return false;
    case Checkpointing::selective:
        return std::any_of(runs.begin(), runs.end(), [](const BlockRun& run) {
            return writesScores(run.block.activeMixer()) || writesScores(run.block.activeCross());
        });
    case Checkpointing::full: return true;
    }
    return false;
}

} // namespace flopsmith
