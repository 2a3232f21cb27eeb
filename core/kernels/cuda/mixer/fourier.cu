// SPDX-License-Identifier: MIT
#include "core/mixer/fourier.h"

#include "core/kernels/cuda/device/fft_plan.h"
#include "core/kernels/cuda/plan/elements.cuh"
#include "core/kernels/cuda/planned.h"

namespace flopsmith::cuda {
namespace {

// A 2D FFT: along the features of every token, then in place along the tokens of each sequence.
struct Transform
{
    FftPlan alongFeatures;
    FftPlan alongTokens;
    Index batch;
    Index ofSequence; ///< bins
    float2* spectra; ///< [batch·S, bins]

    void run(const float* x) const
    {
        alongFeatures.toBins(x, spectra);
        for (Index i = 0; i < batch; ++i) {
            alongTokens.alongColumns(spectra + i * ofSequence);
        }
    }
};

} // namespace

// y = Re Z. Only bins [0, d/2] are stored: for real input Z_{S−k, d−j} = conj(Z_kj). The real part of
// a 2D DFT is symmetric, so the backward pass is the forward transform of dy.
Tensor* planMixer(Plan& plan, const FourierMixer& /*mixer*/, const MixerOnDevice& in)
{
    const Index d = in.shape.dModel;
    const Index sequence = in.shape.sequence;
    const Index bins = d / 2 + 1;
    auto* const spectra = plan.memory<float2>(in.x->rows * bins);
    const std::shared_ptr<const Transform> transform(
        new Transform{{plan.device(), FftKind::realRows, d, in.x->rows},
                      {plan.device(), FftKind::complexColumns, sequence, bins},
                      in.shape.batch,
                      sequence * bins,
                      spectra});
    Tensor* const y = plan.tensor(in.x->rows, d);
    const auto realPart = [=] __device__(Index row, Index j) {
        const Index k = row % sequence;
        const Index mirrored = row - k + (k == 0 ? 0 : sequence - k);
        return j < bins ? spectra[row * bins + j].x : spectra[mirrored * bins + d - j].x;
    };
    plan.forward([transform, x = in.x] { transform->run(x->values); });
    fill(plan, y, realPart);
    plan.backward([transform, y] { transform->run(y->gradient); });
    addGradient(plan, in.x, realPart);
    return y;
}

} // namespace flopsmith::cuda
