// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/simd/vector_math.h"
#include "core/layer/activation.h"
#include "core/layer/gate_values.h"

#include <limits>
#include <type_traits>

// Activations of the lanes of a register. Only the sources of this folder include it, see lanes.h.
namespace flopsmith::cpu {

struct ValueAndSlope
{
    Lanes value;
    Lanes slope;
};

// Each activation, alone and together with its derivative, which shares most of the work.

struct None
{
    Lanes operator()(Lanes x) const { return x; }
    ValueAndSlope withSlope(Lanes x) const { return {x, all(1.0F)}; }
};

struct Relu
{
    Lanes operator()(Lanes x) const { return x < 0.0F ? Lanes{} : x; }
    ValueAndSlope withSlope(Lanes x) const { return {(*this)(x), x < 0.0F ? Lanes{} : all(1.0F)}; }
};

struct ReluSquared
{
    Lanes operator()(Lanes x) const { return withSlope(x).value; }
    ValueAndSlope withSlope(Lanes x) const
    {
        const Lanes r = Relu{}(x);
        return {r * r, 2.0F * r};
    }
};

struct Gelu
{
    Lanes operator()(Lanes x) const { return x * below(x); }
    ValueAndSlope withSlope(Lanes x) const
    {
        constexpr float kOneOverRootOfTwoPi = 0.398942280F;
        const Lanes share = below(x);
        return {x * share, share + x * (kOneOverRootOfTwoPi * exp(-0.5F * x * x))};
    }

private:
    // The normal distribution up to x.
    static Lanes below(Lanes x) { return 0.5F * (1.0F + erf(x * 0.707106781F)); }
};

// 0.5·(1 + tanh(u)) is sigmoid(2u).
struct GeluTanh
{
    Lanes operator()(Lanes x) const
    {
        return x / (1.0F + exp(-kTwice * x * (1.0F + kCube * x * x)));
    }
    ValueAndSlope withSlope(Lanes x) const
    {
        const Lanes scaled = kCube * x * x;
        const Lanes s = sigmoid(kTwice * x * (1.0F + scaled));
        const Lanes value = x * s;
        return {value, s + value * (1.0F - s) * kTwice * (1.0F + 3.0F * scaled)};
    }

private:
    static constexpr float kTwice = 2.0F * 0.797884561F; // 2·sqrt(2/π)
    static constexpr float kCube = 0.044715F;
};

struct Silu
{
    Lanes operator()(Lanes x) const { return x / (1.0F + exp(-x)); }
    ValueAndSlope withSlope(Lanes x) const
    {
        const Lanes s = sigmoid(x);
        const Lanes value = x * s;
        return {value, s + value * (1.0F - s)};
    }
};

// x·σ(slope·x)
struct SlopedSilu
{
    float slope;

    Lanes operator()(Lanes x) const { return x / (1.0F + exp(-slope * x)); }
    ValueAndSlope withSlope(Lanes x) const
    {
        const Lanes s = sigmoid(slope * x);
        const Lanes value = x * s;
        return {value, s + slope * value * (1.0F - s)};
    }
};

/// The activations that the forward pass of a gated feature saves.
struct GatedFeature
{
    Lanes activated; ///< ∂hidden/∂up
    Lanes hidden;
    Lanes slope; ///< ∂hidden/∂gate
};

// hidden = act(gate)·up
template <class Act>
struct PlainGate
{
    Act act;

    Lanes operator()(Lanes gate, Lanes up) const { return act(gate) * up; }
    GatedFeature withSlopes(Lanes gate, Lanes up) const
    {
        const auto [value, slope] = act.withSlope(gate);
        return {value, value * up, slope * up};
    }
};

// hidden = act(min(gate, limit))·(up within ±limit, plus the offset)
template <class Act>
struct LimitedGate
{
    Act act;
    float limit;
    float offset;

    Lanes operator()(Lanes gate, Lanes up) const
    {
        return act(smaller(gate, all(limit))) * factor(up);
    }
    GatedFeature withSlopes(Lanes gate, Lanes up) const
    {
        const auto [value, slope] = act.withSlope(smaller(gate, all(limit)));
        const Lanes through = factor(up);
        return {magnitude(up) > limit ? Lanes{} : value,
                value * through,
                gate > limit ? Lanes{} : slope * through};
    }

private:
    Lanes factor(Lanes up) const { return smaller(larger(up, all(-limit)), all(limit)) + offset; }
};

/// Calls f with the activation's function object, so that loops are compiled for each.
template <class F>
void withActivation(Activation activation, const F& f)
{
    switch (activation) {
    case Activation::none: f(None{}); break;
    case Activation::relu: f(Relu{}); break;
    case Activation::reluSquared: f(ReluSquared{}); break;
    case Activation::gelu: f(Gelu{}); break;
    case Activation::geluTanh: f(GeluTanh{}); break;
    case Activation::silu: f(Silu{}); break;
    }
}

/// The same with the function object of a gated feature.
template <class F>
void withGate(Activation activation, const GateValues& values, const F& f)
{
    if (values == GateValues{}) {
        withActivation(activation,
                       [&](const auto& act) { f(PlainGate<std::decay_t<decltype(act)>>{act}); });
        return;
    }
    const float limit =
        values.limits() ? static_cast<float>(values.limit) : std::numeric_limits<float>::infinity();
    const auto offset = static_cast<float>(values.upOffset);
    if (activation == Activation::silu) {
        const SlopedSilu act{static_cast<float>(values.siluSlope)};
        f(LimitedGate<SlopedSilu>{act, limit, offset});
    } else {
        withActivation(activation, [&](const auto& act) {
            f(LimitedGate<std::decay_t<decltype(act)>>{act, limit, offset});
        });
    }
}

} // namespace flopsmith::cpu
