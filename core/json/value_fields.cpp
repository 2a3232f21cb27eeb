// SPDX-License-Identifier: MIT
#include "core/json/value_fields.h"

#include "core/ffn/moe.h"
#include "core/layer/variant_fields.h"
#include "core/mixer/latent_attention.h"
#include "core/mixer/mamba2.h"

#include <limits>

namespace flopsmith {
namespace {

constexpr double kLargest = 1e12; // far above every real model

template <class Spec>
struct Above
{
    double low;
    double high = kLargest;

    LegalValues operator()(const Spec& /*spec*/, const FieldContext& /*context*/) const
    {
        return LegalValues::reals(low, high, 1.0, LegalValues::LowEnd::open);
    }
};

template <class Spec>
struct From
{
    double low;

    LegalValues operator()(const Spec& /*spec*/, const FieldContext& /*context*/) const
    {
        return LegalValues::reals(low, kLargest, 1.0);
    }
};

template <class Spec>
Field<Spec> epsilonField(double Spec::*member, std::string_view key)
{
    return realField(
        member,
        {key, "", "epsilon", "what stands beside the variance under the root of the norm", ""},
        Above<Spec>{0.0, 1.0});
}

// A field of the angles as one of the attention that has them.
template <class Spec>
Field<Spec> ofRope(const Field<Rope>& field)
{
    return {
        .text = field.text,
        .value = [field](const Spec& spec) { return field.value(spec.rope); },
        .assign = [field](Spec& spec, const FieldValue& value) { field.assign(spec.rope, value); },
        .legal = {[field](const Spec& spec, const FieldContext& context) {
                      return field.legal(spec.rope, context);
                  },
                  field.legal.holdsAlways()},
    };
}

// A ramp between equal frequencies would have no slope.
LegalValues highFrequencies(const Rope& rope, const FieldContext& /*context*/)
{
    return LegalValues::reals(rope.lowFrequency, kLargest, 1.0, LegalValues::LowEnd::open);
}

LegalValues trainedPositions(const Rope& /*rope*/, const FieldContext& /*context*/)
{
    return LegalValues::integers(1, std::numeric_limits<int>::max(), Scale::log2);
}

const std::vector<Field<Rope>>& ropeFields()
{
    using Positive = Above<Rope>;
    static const std::vector<Field<Rope>> kFields{
        realField(&Rope::base,
                  {"rope_base", "", "base", "of the angles of rotary positions", ""},
                  Positive{1.0}),
        choiceField(&Rope::scaling,
                    {"rope_scaling", "", "scaling", "how angles are stretched", ""}),
        realField(&Rope::factor,
                  {"rope_factor", "", "factor", "by which angles are stretched", ""},
                  From<Rope>{1.0}),
        realField(&Rope::lowFrequency,
                  {"rope_low_frequency", "", "low frequency", "turns of stretched pairs", ""},
                  Positive{0.0}),
        realField(&Rope::highFrequency,
                  {"rope_high_frequency", "", "high frequency", "turns of kept pairs", ""},
                  highFrequencies),
        integerField(&Rope::trainedPositions,
                     {"rope_trained_positions", "", "positions", "before stretching", ""},
                     trainedPositions),
        realField(&Rope::betaFast,
                  {"rope_beta_fast", "", "beta fast", "turns of kept pairs", ""},
                  Positive{0.0}),
        realField(&Rope::betaSlow,
                  {"rope_beta_slow", "", "beta slow", "turns of stretched pairs", ""},
                  Positive{0.0}),
        flagField(&Rope::wholePairs,
                  {"rope_whole_pairs", "", "whole pairs", "the ramp lies between whole pairs", ""}),
        realField(&Rope::amplitude,
                  {"rope_amplitude", "", "amplitude", "of sines and cosines", ""},
                  Positive{0.0}),
    };
    return kFields;
}

template <class Spec>
std::vector<Field<MixerSpec>> attentionValues(double Spec::*epsilon, std::string_view epsilonKey)
{
    std::vector<Field<MixerSpec>> all;
    for (const Field<Rope>& field : ropeFields()) {
        all.push_back(widened<MixerSpec>(ofRope<Spec>(field)));
    }
    all.push_back(widened<MixerSpec>(
        realField(&Spec::scoreScale,
                  {"score_scale", "", "score scale", "in place of 1/sqrt(head_dim); 0: that", ""},
                  From<Spec>{0.0})));
    all.push_back(widened<MixerSpec>(epsilonField(epsilon, epsilonKey)));
    return all;
}

// A field of the gate's values as one of the FFN that has them.
template <class Spec>
Field<FfnSpec> ofGate(const Field<GateValues>& field)
{
    return widened<FfnSpec>(Field<Spec>{
        .text = field.text,
        .value = [field](const Spec& spec) { return field.value(spec.gate); },
        .assign = [field](Spec& spec, const FieldValue& value) { field.assign(spec.gate, value); },
        .legal = [field](const Spec& spec,
                         const FieldContext& context) { return field.legal(spec.gate, context); },
    });
}

template <class Spec>
std::vector<Field<FfnSpec>> gateValues()
{
    return {
        ofGate<Spec>(realField(&GateValues::limit,
                               {"gate_limit", "", "gate limit", "of both factors; 0: none", ""},
                               From<GateValues>{0.0})),
        ofGate<Spec>(realField(&GateValues::siluSlope,
                               {"silu_slope", "", "SiLU slope", "the factor in its sigmoid", ""},
                               Above<GateValues>{0.0})),
        ofGate<Spec>(realField(&GateValues::upOffset,
                               {"up_offset", "", "offset", "added to the bias of up", ""},
                               From<GateValues>{0.0})),
    };
}

template <class Spec>
Field<Spec> scaleFactorField()
{
    return realField(
        &Spec::scaleFactor,
        {"scale_factor", "", "scale factor", "the constant of the scale; 0: usual", ""},
        From<Spec>{0.0});
}

} // namespace

const std::vector<Field<Norm>>& valueFields(const Norm& /*norm*/)
{
    static const std::vector<Field<Norm>> kFields{epsilonField(&Norm::epsilon, "norm_epsilon")};
    return kFields;
}

const std::vector<Field<Embedding>>& valueFields(const Embedding& /*embedding*/)
{
    static const std::vector<Field<Embedding>> kFields{scaleFactorField<Embedding>()};
    return kFields;
}

const std::vector<Field<Head>>& valueFields(const Head& /*head*/)
{
    static const std::vector<Field<Head>> kFields{scaleFactorField<Head>()};
    return kFields;
}

const std::vector<Field<Block>>& valueFields(const Block& /*block*/)
{
    static const std::vector<Field<Block>> kFields = [] {
        const Field<Norm> epsilon = valueFields(Norm{}).front();
        Field<Block> ofNorm{
            .text = epsilon.text,
            .value = [epsilon](const Block& b) { return epsilon.value(b.norm); },
            .assign = [epsilon](Block& b,
                                const FieldValue& value) { epsilon.assign(b.norm, value); },
            .legal = [epsilon](const Block& b,
                               const FieldContext& c) { return epsilon.legal(b.norm, c); },
        };
        Field<Block> residual = realField(
            &Block::residualFactor,
            {"residual_factor", "", "residual factor", "the constant of residual_scale", ""},
            Above<Block>{0.0});
        return std::vector<Field<Block>>{ofNorm, residual};
    }();
    return kFields;
}

const std::vector<Field<MixerSpec>>& valueFields(const MixerSpec& mixer)
{
    static const std::vector<Field<MixerSpec>> kAttention = [] {
        auto all = attentionValues(&Attention::qkNormEpsilon, "qk_norm_epsilon");
        all.push_back(widened<MixerSpec>(
            realField(&Attention::qkvLimit,
                      {"qkv_limit", "", "q, k, v limit", "of queries, keys, values; 0: none", ""},
                      From<Attention>{0.0})));
        return all;
    }();
    static const std::vector<Field<MixerSpec>> kLatent =
        attentionValues(&LatentAttention::normEpsilon, "norm_epsilon");
    static const std::vector<Field<MixerSpec>> kMamba2{
        widened<MixerSpec>(epsilonField(&Mamba2::normEpsilon, "norm_epsilon"))};
    static const std::vector<Field<MixerSpec>> kNone;
    if (holds_alternative<Attention>(mixer)) {
        return kAttention;
    }
    if (holds_alternative<Mamba2>(mixer)) {
        return kMamba2;
    }
    return holds_alternative<LatentAttention>(mixer) ? kLatent : kNone;
}

const std::vector<Field<FfnSpec>>& valueFields(const FfnSpec& ffn)
{
    static const std::vector<Field<FfnSpec>> kGated = gateValues<GatedFfn>();
    static const std::vector<Field<FfnSpec>> kExperts = gateValues<MoeFfn>();
    static const std::vector<Field<FfnSpec>> kNone;
    if (holds_alternative<GatedFfn>(ffn)) {
        return kGated;
    }
    return holds_alternative<MoeFfn>(ffn) ? kExperts : kNone;
}

} // namespace flopsmith
