// SPDX-License-Identifier: MIT
#include "core/export/torch/module_fields.h"

#include "core/export/torch/modules.h"

namespace flopsmith::torch {
namespace {

std::string functionOf(Activation activation)
{
    switch (activation) {
    case Activation::none: return "";
    case Activation::relu: return "F.relu";
    case Activation::reluSquared: return "relu_squared";
    case Activation::gelu: return "F.gelu";
    case Activation::geluTanh: return "gelu_tanh";
    case Activation::silu: return "F.silu";
    }
    return "";
}

} // namespace

void addField(std::string_view key, const FieldValue& value, ModuleText& module)
{
    module.context.values[std::string(key)] = value;
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        module.arguments[std::string(key)] = PythonExpression::number(*whole);
    } else if (const auto* real = std::get_if<double>(&value)) {
        module.arguments[std::string(key)] = PythonExpression::number(*real);
    }
}

void addFlag(std::string_view name, bool value, ModuleText& module)
{
    module.context.values[std::string(name)] = value;
}

void addNumber(std::string_view name, std::int64_t value, ModuleText& module)
{
    module.arguments[std::string(name)] = PythonExpression::number(value);
}

void addActivation(Activation activation, ModuleText& module)
{
    module.context.names["ACTIVATION"] = functionOf(activation);
}

void addGateValues(const GateValues& values, ModuleText& module)
{
    addField("gate_limit", values.limit, module);
    addField("silu_slope", values.siluSlope, module);
    addField("up_offset", values.upOffset, module);
    addFlag("own_slope", values.siluSlope != GateValues{}.siluSlope, module);
    addFlag("own_gate", values != GateValues{}, module);
}

void addNorm(std::string_view name, const Norm& norm, ModuleText& module, ClassList& classes)
{
    const bool present = norm.kind != NormKind::none;
    addFlag("has_norm", present, module);
    if (present) {
        module.context.names[std::string(name)] = normClass(norm, classes);
        module.arguments["eps"] = PythonExpression::number(norm.epsilon);
    }
}

} // namespace flopsmith::torch
