// SPDX-License-Identifier: MIT
#include "core/mixer/no_mixer.h"

#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/planned.h"

namespace flopsmith::cuda {

Tensor* planMixer(Plan& plan, const NoMixer& /*mixer*/, const MixerOnDevice& in)
{
    return zeros(plan, in.x->rows, in.x->columns);
}

} // namespace flopsmith::cuda
