// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/check.h"
#include "core/parameter/parameter_table.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// How the parameter table is put together from the fields of a scenario's parts.
namespace flopsmith {

/// A field of some part of the scenario as a parameter of the whole. `access` is a generic lambda
/// that finds the part in a const or a mutable scenario.
template <class Spec, class Access>
Parameter boundParameter(std::string key, // NOLINT(performance-unnecessary-value-param): moved
                         std::string group, // NOLINT(performance-unnecessary-value-param)
                         const Component* component,
                         const Field<Spec>& field,
                         ParameterScope scope,
                         Access access)
{
    // One copy for all four: a table of sixty parameters is built for every step of a slider.
    const auto shared = std::make_shared<const Field<Spec>>(field);
    return {
        .key = std::move(key),
        .group = std::move(group),
        .component = component,
        .text = field.text,
        .value = [shared, access](const Scenario& s) { return shared->value(access(s)); },
        .assign = [shared, access](Scenario& s,
                                   const FieldValue& value) { shared->assign(access(s), value); },
        .legal = {[shared, access](const Scenario& s) {
                      return shared->legal(access(s), {.dModel = s.model.dModel});
                  },
                  field.legal.holdsAlways()},
        .applies = [shared, access](const Scenario& s) { return shared->applies(access(s)); },
        .scope = scope,
    };
}

/// All of a part's fields as parameters of the whole, each key with the prefix before it.
template <class Spec, class Access>
void appendParameters(std::vector<Parameter>& all,
                      const std::string& prefix,
                      const std::string& group,
                      const Component* component,
                      const std::vector<Field<Spec>>& fields,
                      ParameterScope scope,
                      Access access)
{
    for (const Field<Spec>& field : fields) {
        all.push_back(boundParameter(
            prefix + std::string(field.text.key), group, component, field, scope, access));
    }
}

/// The parameter of that key, which must be there.
inline Parameter& namedParameter(std::vector<Parameter>& all, std::string_view key)
{
    const auto found =
        std::find_if(all.begin(), all.end(), [key](const Parameter& p) { return p.key == key; });
    FLOPSMITH_CHECK(found != all.end());
    return *found;
}

/// blockParameterList() of a run whose first block is known: finding it again for every run is
/// slow.
ParameterList blockParameterListFrom(const Scenario& scenario, int run, int firstBlock);

/// Legal values that more than the parameter's own part decides: all that `scope` names.
template <class Rule>
void decideLegal(Parameter& parameter, Rule rule, ParameterScope scope = {})
{
    parameter.legal = std::move(rule);
    parameter.scope = scope;
}

} // namespace flopsmith
