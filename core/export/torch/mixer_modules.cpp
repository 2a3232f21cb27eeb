// SPDX-License-Identifier: MIT
#include "core/export/torch/module_fields.h"
#include "core/export/torch/modules.h"
#include "core/mixer/mixer_variants.h"

namespace flopsmith::torch {
namespace {

// An expression for the frequencies of the rotated pairs, evaluated when they are used:
// from_pretrained() builds a model before its tensors have values.
PythonExpression frequenciesOf(const Rope& rope, int features)
{
    PythonExpression call = PythonExpression::call(
        "lambda: " + (rope.isScaled() ? std::string(enumName(rope.scaling)) : "plain")
        + "_frequencies");
    const auto with = [&call](const char* name, auto value) {
        call.with(name, PythonExpression::number(value));
    };
    with("features", std::int64_t{features});
    with("base", rope.base);
    if (rope.isScaled()) {
        with("factor", rope.factor);
    }
    if (rope.scaling == RopeScaling::llama3) {
        with("low", rope.lowFrequency);
        with("high", rope.highFrequency);
        with("positions", std::int64_t{rope.trainedPositions});
    } else if (rope.scaling == RopeScaling::yarn) {
        with("positions", std::int64_t{rope.trainedPositions});
        with("fast", rope.betaFast);
        with("slow", rope.betaSlow);
        call.with("whole_pairs", PythonExpression::literal(rope.wholePairs ? "True" : "False"));
    }
    return call;
}

// Angles with a base other than 10000 or with stretching.
void addAngles(const Rope& rope, int features, ModuleText& module)
{
    const Rope usual;
    addFlag("own_amplitude", rope.amplitude != usual.amplitude, module);
    addFlag("own_angles", rope != usual, module);
    module.arguments["frequencies"] = frequenciesOf(rope, features);
    module.arguments["amplitude"] = PythonExpression::number(rope.amplitude);
}

// Adds to the fields of each mixer.
struct MixerDetails
{
    int dModel;
    const std::string& relativeBias;
    ModuleText& module;
    ClassList& classes;

    void operator()(const NoMixer& /*mixer*/) const { module.className = "NoMixer"; }

    void operator()(const Attention& attention) const
    {
        module.className = "Attention";
        addNorm("QK_NORM", attention.queryKeyNorm(), module, classes);
        if (!attention.normalisesQk()) {
            addField("qk_norm", std::string(enumName(QkNorm::none)), module);
        }
        addFlag("grouped", attention.kvHeads != attention.heads, module);
        addNumber("head_dim", attention.headDimFor(dModel), module);
        addNumber("rotary_dim", attention.rotaryFeatures(dModel), module);
        addAngles(attention.rope, attention.rotaryFeatures(dModel), module);
        addField("score_scale", attention.scoreScale, module);
        addField("qkv_limit", attention.qkvLimit, module);
        module.context.names["BOTH"] = attention.causal ? "False" : "True";
        module.arguments["relative_bias"] = PythonExpression::literal(relativeBias);
    }

    void operator()(const LatentAttention& attention) const
    {
        module.className = "LatentAttention";
        addAngles(attention.rope, attention.qkRopeDim, module);
        addField("score_scale", attention.scoreScale, module);
        addNorm("NORM", attention.latentNorm(), module, classes);
    }

    void operator()(const CrossAttention& attention) const
    {
        module.className = "CrossAttention";
        addFlag("grouped", attention.kvHeads != attention.heads, module);
        addNumber("head_dim", attention.headDimFor(dModel), module);
    }

    void operator()(const FourierMixer& /*mixer*/) const { module.className = "FourierMixing"; }

    void operator()(const Mamba2& mixer) const
    {
        module.className = "Mamba2";
        addField("eps", mixer.normEpsilon, module);
    }
};

} // namespace

PythonExpression mixerModule(const MixerSpec& mixer,
                             int dModel,
                             const std::string& relativeBias,
                             ClassList& classes)
{
    ModuleText module{.path = "mixer/" + std::string(info(mixer).id) + ".py"};
    addFields(mixer, fields(mixer), module);
    addNumber("d", dModel, module);
    visit(MixerDetails{dModel, relativeBias, module, classes}, mixer);
    return classes.module(module);
}

} // namespace flopsmith::torch
