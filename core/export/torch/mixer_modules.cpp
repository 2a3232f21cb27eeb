// SPDX-License-Identifier: MIT
#include "core/export/torch/module_fields.h"
#include "core/export/torch/modules.h"

namespace flopsmith::torch {
namespace {

// What each mixer adds to its fields.
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
        module.context.names["BOTH"] = attention.causal ? "False" : "True";
        module.arguments["relative_bias"] = PythonExpression::literal(relativeBias);
    }

    void operator()(const LatentAttention& /*attention*/) const
    {
        module.className = "LatentAttention";
        addNorm("NORM", Norm::rms(), module, classes);
    }

    void operator()(const CrossAttention& attention) const
    {
        module.className = "CrossAttention";
        addFlag("grouped", attention.kvHeads != attention.heads, module);
        addNumber("head_dim", attention.headDimFor(dModel), module);
    }

    void operator()(const FourierMixer& /*mixer*/) const { module.className = "FourierMixing"; }
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
    std::visit(MixerDetails{dModel, relativeBias, module, classes}, mixer);
    return classes.module(module);
}

} // namespace flopsmith::torch
