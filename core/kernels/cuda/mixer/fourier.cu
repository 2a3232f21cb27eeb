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
    Index batch;
    Index sequence;
    Index d;
    SharedFft alongFeatures;
    SharedFft alongTokens;
    float2* spectra; ///< [batch·S, F]

    Index bins() const { return d / 2 + 1; }

    void run(const float* x) const
    {
        alongFeatures->toComplex(x, spectra);
        for (Index i = 0; i < batch; ++i) {
            float2* const own = spectra + i * sequence * bins();
            alongTokens->forward(own, own);
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
    const FftLayout alongTokens{.kind = FftKind::complexToComplex,
                                .length = sequence,
                                .batch = bins,
                                .inStride = bins,
                                .outStride = bins};
    const Transform transform{in.shape.batch,
                              sequence,
                              d,
                              realRows(plan.device(), in.x->rows, d),
                              std::make_shared<FftPlan>(plan.device(), alongTokens),
                              plan.memory<float2>(in.x->rows * bins)};
    Tensor* const y = plan.tensor(in.x->rows, d);
    const float2* const spectra = transform.spectra;
    const auto realPart = [=] __device__(Index row, Index j) {
        const Index k = row % sequence;
        const Index mirrored = row - k + (k == 0 ? 0 : sequence - k);
        return j < bins ? spectra[row * bins + j].x : spectra[mirrored * bins + d - j].x;
    };
    plan.forward([transform, x = in.x] { transform.run(x->values); });
    fill(plan, y, realPart);
    plan.backward([transform, y] { transform.run(y->gradient); });
    addGradient(plan, in.x, realPart);
    return y;
}

} // namespace flopsmith::cuda
