// SPDX-License-Identifier: MIT
#include "core/lab/task/closed_forms.h"

#include "core/ffn/dense.h"
#include "core/ffn/spectral.h"
#include "core/kernels/reference/activation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace flopsmith {
namespace {

constexpr double kEnd = 12.0; ///< beyond it nothing of the normal density is left
constexpr int kIntervals = 6'000;

// E[f(z)] by Simpson's rule.
template <class Function>
double normalMean(const Function& f)
{
    const double width = 2.0 * kEnd / kIntervals;
    double sum = 0.0;
    for (int i = 0; i <= kIntervals; ++i) {
        const double z = -kEnd + i * width;
        const double inner = i % 2 == 1 ? 4.0 : 2.0;
        const double weight = i == 0 || i == kIntervals ? 1.0 : inner;
        sum += weight * f(z) * std::exp(-0.5 * z * z);
    }
    return sum * width / 3.0 / std::sqrt(2.0 * std::numbers::pi);
}

} // namespace

ActivationMoments momentsOf(Activation activation)
{
    const auto g = [activation](double z) { return reference::activated(activation, z); };
    ActivationMoments moments;
    moments.mean = normalMean(g);
    moments.slope = normalMean([&](double z) { return z * g(z); });
    moments.variance =
        normalMean([&](double z) { return g(z) * g(z); }) - moments.mean * moments.mean;
    return moments;
}

double linearShare(Activation activation)
{
    const ActivationMoments moments = momentsOf(activation);
    return moments.slope * moments.slope / moments.variance;
}

int circulantNumbers(int dModel, int bins)
{
    const int kept = std::clamp(bins, 0, SpectralFfn::bins(dModel));
    const bool hasConstant = kept > 0;
    const bool hasHighest = dModel % 2 == 0 && kept == SpectralFfn::bins(dModel);
    return 2 * kept - (hasConstant ? 1 : 0) - (hasHighest && dModel > 1 ? 1 : 0);
}

std::optional<double> predictedShare(const FfnSpec& student,
                                     int dModel,
                                     int teacherWidth,
                                     Activation activation)
{
    if (holds_alternative<NoFfn>(student)) {
        return 0.0;
    }
    if (const auto* dense = get_if<DenseFfn>(&student)) {
        if (dense->activation == Activation::none && dense->dFf >= dModel) {
            return linearShare(activation);
        }
        return dense->activation == activation && dense->dFf >= teacherWidth
            ? std::optional<double>(1.0)
            : std::nullopt;
    }
    const auto* spectral = get_if<SpectralFfn>(&student);
    if (spectral == nullptr || spectral->activation != Activation::none
        || spectral->selection != BinSelection::lowPass) {
        return std::nullopt;
    }
    const double square = static_cast<double>(dModel) * dModel;
    return linearShare(activation) * circulantNumbers(dModel, spectral->kFreq) / square;
}

} // namespace flopsmith
