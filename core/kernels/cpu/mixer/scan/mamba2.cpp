// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer.h"
#include "core/kernels/cpu/mixer/scan/mamba2_pass.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"

namespace flopsmith::cpu {

Result<std::unique_ptr<Kernel>> prepare(const Mamba2& mixer,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        const MixerInput& input,
                                        Threads threads,
                                        Precision precision)
{
    return prepared(Mamba2::info().title, threads, [&] {
        Mamba2Pass pass(
            ScanPlan(mixer, shape, precision), weights, threads, Mamba2Pass::Keeps::nothing);
        return forwardKernel(std::move(pass), input, shape.activations());
    });
}

} // namespace flopsmith::cpu
