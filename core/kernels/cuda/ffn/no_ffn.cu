// SPDX-License-Identifier: MIT
#include "core/ffn/no_ffn.h"

#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/planned_stage.h"

namespace flopsmith::cuda {

Tensor* planFfn(Plan& plan, const NoFfn& /*ffn*/, const FfnInput& in)
{
    return zeros(plan, in.x->rows, in.x->columns);
}

FLOPSMITH_PLANNED_FFN(NoFfn)

} // namespace flopsmith::cuda
