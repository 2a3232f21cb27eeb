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

/// Adds a field of a specification: conditions may read it, and if it is a number constructors too.
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

/// Defines __ACTIVATION__.
void addActivation(Activation activation, ModuleText& module);

/// Adds the values of a gate that differ from the defaults, with a flag for each.
void addGateValues(const GateValues& values, ModuleText& module);

/// Defines __NAME__ for a norm, the flag has_norm and the number eps.
void addNorm(std::string_view name, const Norm& norm, ModuleText& module, ClassList& classes);

} // namespace flopsmith::torch
