// SPDX-License-Identifier: MIT
#pragma once

#include "core/train/settings/schedule.h"

namespace flopsmith {

/// Adam with decoupled weight decay (Loshchilov and Hutter 2019).
struct AdamW
{
    double beta1 = 0.9;
    double beta2 = 0.98;
    double epsilon = 1e-8;
    double decay = 0.1; ///< λ, of tensors that decay

    bool operator==(const AdamW&) const = default;
};

/// The numbers of a run that all steps share.
struct TrainingSettings
{
    double rate = 3e-3; ///< η, times the schedule's factor and each tensor's own
    double clip = 1.0; ///< largest norm of all gradients together; 0: they are not clipped
    double expertBalance = 0.01; ///< α of the balance loss of each mixture of experts
    AdamW optimizer{};
    Schedule schedule{};

    bool operator==(const TrainingSettings&) const = default;
};

} // namespace flopsmith
