// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/ffn.h"
#include "core/kernels/shape.h"
#include "core/model/model.h"
#include "core/train/settings/training_settings.h"
#include "core/train/training_start.h"

#include <cstddef>

namespace flopsmith {

/// The operations of a step of Trainer, exactly.
struct StepCost
{
    OpCount<Count> fixed{}; ///< all but the loss
    int classes = 0; ///< of the cross-entropy; 0: squared error

    /// With a loss over `compared` rows or numbers.
    OpCount<Count> of(std::size_t compared) const;

    /// The lens `exact` of it.
    Count flops(std::size_t compared) const;
};

/// The operations of the balance loss of an FFN's mixtures of experts, see ExpertBalance. For E
/// experts that see T tokens:
///   P         T − 1 add of each expert's scores
///   loss      E mul for f, E mul and E − 1 add for the sum
///   gradient  T·E add to the scores' gradients
OpCount<Count> balanceCount(const FfnSpec& ffn, const Count& tokens);

/// For a whole model: the train tree of the scenario without its loss, plus the optimizer's
/// operations besides Adam and the balance loss. The scenario trains with Adam without
/// checkpointing.
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
