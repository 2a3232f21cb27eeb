// SPDX-License-Identifier: MIT
#include "core/export/torch/module_fields.h"
#include "core/export/torch/modules.h"
#include "core/ffn/ffn_variants.h"

#include <cctype>
#include <map>

namespace flopsmith::torch {
namespace {

ModuleText moduleOf(const FfnSpec& ffn, int dModel)
{
    ModuleText module{.path = "ffn/" + std::string(info(ffn).id) + ".py"};
    addFields(ffn, fields(ffn), module);
    addNumber("d", dModel, module);
    return module;
}

// "{48: 12, 49: 13}": how many channels of a group are kept, by its size.
PythonExpression keptBySize(const MicroRefineFfn& ffn, int dModel)
{
    std::map<int, int> counts;
    for (int group = 0; group < ffn.steps; ++group) {
        const int size = ffn.groupStart(group + 1, dModel) - ffn.groupStart(group, dModel);
        counts[size] = kept(ffn.keepRatio, size);
    }
    std::string text;
    for (const auto& [size, count] : counts) {
        text += (text.empty() ? "{" : ", ") + std::to_string(size) + ": " + std::to_string(count);
    }
    return PythonExpression::literal(text + "}");
}

PythonExpression kroneckerLinear(const KroneckerMatrix& matrix, bool bias, ClassList& classes)
{
    ModuleText module{.path = "ffn/kronecker_linear.py", .className = "KroneckerLinear"};
    addFlag("bias", bias, module);
    addFlag("right_first", matrix.order() == KroneckerOrder::rightFirst, module);
    addNumber("rank", matrix.a.rank, module);
    const auto addFactor = [&module](const std::string& name, const KroneckerFactor& factor) {
        addFlag(name + "_sparse", factor.sparse(), module);
        addNumber(name + "_in", factor.in, module);
        addNumber(name + "_out", factor.out, module);
        addNumber(name + "_kept", factor.kept, module);
    };
    addFactor("a", matrix.a);
    addFactor("b", matrix.b);
    return classes.module(module);
}

// "low_rank" → "LowRank"
std::string camelCase(std::string_view id)
{
    std::string name;
    bool isFirst = true;
    for (const char c : id) {
        if (c != '_') {
            name += isFirst ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        }
        isFirst = c == '_';
    }
    return name;
}

// Adds to the fields of each FFN.
struct FfnDetails
{
    int dModel;
    ModuleText& module;
    ClassList& classes;

    // A class of the variant's name, and its activation if it has one: enough for most variants.
    template <class Spec>
    void operator()(const Spec& ffn) const
    {
        module.className = camelCase(Spec::info().id);
        if constexpr (requires { ffn.activation; }) {
            addActivation(ffn.activation, module);
        }
    }

    void operator()(const NoFfn& /*ffn*/) const { module.className = "NoFfn"; }

    void operator()(const GatedFfn& ffn) const
    {
        module.className = "Gated";
        addActivation(ffn.activation, module);
        addGateValues(ffn.activeGate(), module);
    }

    void operator()(const MoeFfn& ffn) const
    {
        module.className = "MixtureOfExperts";
        addGateValues(ffn.activeGate(), module);
        module.context.names["EXPERT"] = expertClass(ffn);
        addFlag("scales", ffn.scales(), module);
        addFlag("renormalises", ffn.renormalises(), module);
        addFlag("limits_groups", ffn.limitsGroups(), module);
        addFlag("sums_groups", ffn.sumsGroups(), module);
        addFlag("chooses_by_score", ffn.choosesByScore(), module);
        addFlag("has_shared_gate", ffn.hasSharedGate(), module);
        addNumber("shared_d_ff", std::int64_t{ffn.sharedExperts} * ffn.sharedDFf, module);
    }

    void operator()(const PolynomialFfn& ffn) const
    {
        module.className = "Polynomial";
        addNumber("kept", ffn.keptChannels(dModel), module);
        addNumber("terms", ffn.termCount(), module);
    }

    void operator()(const RandomProjectionFfn& ffn) const
    {
        module.className = "RandomProjection";
        addActivation(ffn.activation, module);
        addNumber("inputs_per_feature", ffn.inputsPerFeature(dModel), module);
        addNumber("features_per_output", ffn.featuresPerOutput(), module);
    }

    void operator()(const TokenFeedbackFfn& ffn) const
    {
        module.className = "TokenFeedback";
        addActivation(ffn.activation, module);
        addNumber("kept", ffn.keptFeatures(dModel), module);
    }

    void operator()(const MicroRefineFfn& ffn) const
    {
        module.className = "MicroRefine";
        addNumber("kept", ffn.keptChannels(dModel), module);
        if (ffn.mode == MicroRefineMode::groups && ffn.selection == ChannelSelection::topK) {
            module.arguments["kept"] = keptBySize(ffn, dModel);
        }
    }

    void operator()(const KroneckerFfn& ffn) const
    {
        module.className = "Kronecker";
        addActivation(ffn.activation, module);
        module.arguments["c_fc"] = kroneckerLinear(ffn.up(dModel), ffn.bias, classes);
        module.arguments["c_proj"] = kroneckerLinear(ffn.down(dModel), ffn.bias, classes);
    }

    void operator()(const ComposedFfn& ffn) const
    {
        module.className = "Composed";
        PythonExpression stages = PythonExpression::list();
        for (const FfnStage& stage : ffn.stages) {
            stages.with("", ffnModule(stage.spec, dModel, classes));
        }
        module.arguments["stages"] = stages;
        const bool passes = classes.isForLibrary() && tokensSeenBefore(ffn) > 0;
        addFlag("passes_context", passes, module);
        module.context.names["STAGES"] = passes ? "stages" : "self.stages";
        addFlag("has_stages", !ffn.stages.empty(), module);
        addFlag("drops", ffn.drops(), module);
    }

    std::string expertClass(const MoeFfn& ffn) const
    {
        const FfnSpec expert =
            std::visit([](const auto& plain) { return FfnSpec(plain); }, ffn.routedExpert());
        ModuleText text = moduleOf(expert, dModel);
        visit(FfnDetails{dModel, text, classes}, expert);
        return classes.classOf(text);
    }
};

} // namespace

PythonExpression ffnModule(const FfnSpec& ffn, int dModel, ClassList& classes)
{
    ModuleText module = moduleOf(ffn, dModel);
    visit(FfnDetails{dModel, module, classes}, ffn);
    return classes.module(module);
}

} // namespace flopsmith::torch
