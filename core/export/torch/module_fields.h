// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/export/torch/class_list.h"
#include "core/layer/activation.h"
#include "core/layer/gate_values.h"
#include "core/layer/norm.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith::torch {

/// A field of a specification: conditions may use it, and constructors too if it is a number.
void addField(std::string_view key, const FieldValue& value, ModuleText& module);

template <class Spec>
void addFields(const Spec& spec, const std::vector<Field<Spec>>& fields, ModuleText& module)
{
    for (const Field<Spec>& field : fields) {
        addField(field.text.key, field.value(spec), module);
    }
}

/// A flag that follows from the fields, for conditions.
void addFlag(std::string_view name, bool value, ModuleText& module);

/// A number that follows from the fields, for constructors.
void addNumber(std::string_view name, std::int64_t value, ModuleText& module);

/// What __ACTIVATION__ stands for.
void addActivation(Activation activation, ModuleText& module);

/// The numbers of a gate that change something, and flags that say which of them are not the usual.
void addGateValues(const GateValues& values, ModuleText& module);

/// What __NAME__ of a norm stands for, the flag has_norm and the number eps.
void addNorm(std::string_view name, const Norm& norm, ModuleText& module, ClassList& classes);

} // namespace flopsmith::torch
