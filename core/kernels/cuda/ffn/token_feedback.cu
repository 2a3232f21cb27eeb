// SPDX-License-Identifier: MIT
#include "core/ffn/token_feedback.h"

#include "core/kernels/cuda/block/activation.cuh"
#include "core/kernels/cuda/plan/choice.cuh"
#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/planned.h"

namespace flopsmith::cuda {
namespace {

// The features that a step works on, and the place of every feature among them, −1 if it is not; of
// each token, or with strides of 0 of all.
struct Picked
{
    const int* features;
    Index featureStride;
    const int* places;
    Index placeStride;
    Index kept;

    __device__ Index feature(Index token, Index place) const
    {
        return features[token * featureStride + place];
    }
    __device__ Index place(Index token, Index feature) const
    {
        return places[token * placeStride + feature];
    }
};

Picked window(Plan& plan, int start, int kept, int d)
{
    std::vector<int> features;
    std::vector<int> places(static_cast<std::size_t>(d), -1);
    for (int place = 0; place < kept; ++place) {
        features.push_back((start + place) % d);
        places[static_cast<std::size_t>(features.back())] = place;
    }
    return {plan.copied(features), 0, plan.copied(places), 0, kept};
}

Picked largest(Plan& plan, const Tensor* now, int kept)
{
    const auto d = static_cast<int>(now->columns);
    const KeptValues chosen = keptMagnitudes(plan, now, {{0, d}, {kept}});
    const int* const features = placesOf(plan, now->rows, d, kept, chosen);
    int* const places = plan.memory<int>(now->rows * d);
    each(plan, now->rows, d, [=] __device__(Index token, Index feature) {
        places[token * d + feature] = -1;
    });
    each(plan, now->rows, kept, [=] __device__(Index token, Index place) {
        places[token * d + features[token * kept + place]] = static_cast<int>(place);
    });
    return {features, kept, places, d, kept};
}

// The picked features of every token, or of the one before it in its sequence, zeros for the first.
Tensor* gathered(Plan& plan, const Picked& picked, Tensor* now, Index sequence, bool before)
{
    Tensor* const y = plan.tensor(now->rows, picked.kept);
    const Index tokens = now->rows;
    const Index back = before ? 1 : 0;
    const Matrix from = valuesOf(now);
    const Matrix dy = gradientOf(y);
    fill(plan, y, [=] __device__(Index token, Index place) {
        return token % sequence < back ? 0.0F : from(token - back, picked.feature(token, place));
    });
    addGradient(plan, now, [=] __device__(Index token, Index feature) {
        const Index reader = token + back;
        if (reader >= tokens || reader % sequence < back) {
            return 0.0F;
        }
        const Index place = picked.place(reader, feature);
        return place < 0 ? 0.0F : dy(reader, place);
    });
    return y;
}

// x_S + σ(c ⊙ φ + e) ⊙ v; other features stay as they are.
Tensor* refined(Plan& plan,
                const Picked& picked,
                Tensor* now,
                Tensor* phi,
                Tensor* v,
                Tensor* scale,
                Tensor* shift)
{
    Tensor* const y = plan.tensor(now->rows, now->columns);
    const Matrix from = valuesOf(now);
    const Matrix opening = valuesOf(phi);
    const Matrix values = valuesOf(v);
    const Matrix dy = gradientOf(y);
    const float* const c = scale->values;
    const float* const e = shift->values;
    const auto gate = [=] __device__(Index token, Index place, Index feature) {
        return sigmoid(fmaf(c[feature], opening(token, place), e[feature]));
    };
    // The gradient of what σ takes.
    const auto inner = [=] __device__(Index token, Index place, Index feature) {
        const float z = gate(token, place, feature);
        return dy(token, feature) * values(token, place) * z * (1.0F - z);
    };
    fill(plan, y, [=] __device__(Index token, Index feature) {
        const Index place = picked.place(token, feature);
        const float value = from(token, feature);
        return place < 0 ? value : fmaf(gate(token, place, feature), values(token, place), value);
    });
    addGradient(
        plan, now, [=] __device__(Index token, Index feature) { return dy(token, feature); });
    addGradient(plan, phi, [=] __device__(Index token, Index place) {
        const Index feature = picked.feature(token, place);
        return c[feature] * inner(token, place, feature);
    });
    addGradient(plan, v, [=] __device__(Index token, Index place) {
        const Index feature = picked.feature(token, place);
        return dy(token, feature) * gate(token, place, feature);
    });
    sumIntoGradient(plan, scale, now->rows, [=] __device__(Index token, Index feature) {
        const Index place = picked.place(token, feature);
        return place < 0 ? 0.0F : opening(token, place) * inner(token, place, feature);
    });
    sumIntoGradient(plan, shift, now->rows, [=] __device__(Index token, Index feature) {
        const Index place = picked.place(token, feature);
        return place < 0 ? 0.0F : inner(token, place, feature);
    });
    return y;
}

} // namespace

Tensor* planFfn(Plan& plan, const TokenFeedbackFfn& ffn, const FfnInput& in)
{
    const int d = in.dModel();
    const int kept = ffn.keptFeatures(d);
    Tensor* now = in.x;
    for (int step = 0; step < ffn.steps; ++step) {
        const auto w = [&](FeedbackTensor which) { return in.weights[indexOf(ffn, which, step)]; };
        const Picked picked = ffn.window == FeatureWindow::topK
            ? largest(plan, now, kept)
            : window(plan, ffn.windowStart(step, d), kept, d);
        Tensor* const x = gathered(plan, picked, now, in.sequence, false);
        Tensor* const phi =
            ffn.feedback == Feedback::self ? x : gathered(plan, picked, now, in.sequence, true);
        Tensor* const down =
            linear(plan, x, ffn.rank, w(FeedbackTensor::down), w(FeedbackTensor::downBias));
        Tensor* const u = activated(plan, ffn.activation, down);
        Tensor* const v = linear(plan, u, kept, w(FeedbackTensor::up));
        now = refined(
            plan, picked, now, phi, v, w(FeedbackTensor::gateScale), w(FeedbackTensor::gateShift));
    }
    return sumOf(plan, now, in.x, -1.0F);
}

} // namespace flopsmith::cuda
