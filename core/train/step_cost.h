// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/ffn.h"
#include "core/kernels/shape.h"
#include "core/model/model.h"
#include "core/train/settings/training_settings.h"
#include "core/train/training_start.h"

#include <cstddef>

namespace flopsmith {

/// What a step of Trainer executes, exactly.
struct StepCost
{
    OpCount<Count> fixed{}; ///< all but the loss
    int classes = 0; ///< of the cross-entropy; 0: squared error

    /// With a loss over `compared` rows or numbers.
    OpCount<Count> of(std::size_t compared) const;

    /// The lens `exact` of it.
    Count flops(std::size_t compared) const;
};

/// What the balance loss of the mixtures of experts in an FFN executes, see ExpertBalance. Of E
/// experts that see T tokens:
///   P         T − 1 add of each expert's scores
///   loss      E mul for f, E mul and E − 1 add for the sum
///   gradient  T·E add to those of the scores
OpCount<Count> balanceCount(const FfnSpec& ffn, const Count& tokens);

/// Of a whole model: the train tree of the scenario, its loss taken out, and what its optimizer does
/// beside Adam and the balance loss. The scenario trains with Adam without checkpointing.
StepCost modelStepCost(const Scenario& scenario,
                       const TrainingStart& start,
                       const TrainingSettings& settings);

/// Of an FFN alone on the tokens of `shape`, the executor's, with the classes after it if there are
/// some, see classifyingFfnExecutor().
StepCost ffnStepCost(const FfnSpec& ffn,
                     const Shape& shape,
                     int classes,
                     const TrainingStart& start,
                     const TrainingSettings& settings);

} // namespace flopsmith
