// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/check.h"
#include "core/base/legal_rule.h"
#include "core/base/legal_values.h"

#include <cmath>
#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace flopsmith {

/// What a field's legal values may depend on besides its own specification.
struct FieldContext
{
    int dModel = 768;
};

/// A parameter's name and explanation everywhere: slider, axis, file, command line, tool tip.
struct FieldText
{
    std::string_view key; ///< in files and on the command line: "k_freq"
    std::string_view symbol; ///< in formulas: "k"
    std::string_view label; ///< beside the slider
    std::string_view help; ///< one sentence
    std::string_view unit; ///< "features", "tokens", or empty
};

/// One editable number of a specification, described once. The parameter table, sliders, files,
/// sweeps, validation and help are all generated from these.
template <class Spec>
struct Field
{
    FieldText text;
    std::function<FieldValue(const Spec&)> value;
    /// Takes a value of the right kind, legal or not; validation is a separate step.
    std::function<void(Spec&, const FieldValue&)> assign;
    LegalRule<Spec, FieldContext> legal;
    /// Whether the field has any effect under the current values of the other settings.
    std::function<bool(const Spec&)> applies = [](const Spec&) { return true; };
};

/// The names of an enumeration's values in order, as files and the command line spell them.
/// Specialised beside each enumeration that a Field edits.
template <class Enum>
std::vector<std::string_view> enumNames();

template <class Enum>
std::string_view enumName(Enum value)
{
    return enumNames<Enum>().at(static_cast<std::size_t>(value));
}

template <class Spec, class Legal>
Field<Spec> integerField(int Spec::*member, const FieldText& text, Legal legal)
{
    return {.text = text,
            .value = [member](const Spec& spec) { return FieldValue(std::int64_t{spec.*member}); },
            .assign =
                [member](Spec& spec, const FieldValue& value) {
                    spec.*member = static_cast<int>(std::get<std::int64_t>(value));
                },
            .legal = std::move(legal)};
}

template <class Spec, class Legal>
Field<Spec> realField(double Spec::*member, const FieldText& text, Legal legal)
{
    return {.text = text,
            .value = [member](const Spec& spec) { return FieldValue(spec.*member); },
            .assign = [member](Spec& spec,
                               const FieldValue& value) { spec.*member = std::get<double>(value); },
            .legal = std::move(legal)};
}

/// A keep ratio in (0, 1].
template <class Spec>
Field<Spec> ratioField(double Spec::*member, const FieldText& text)
{
    return realField(member, text, [](const Spec&, const FieldContext&) {
        return LegalValues::reals(0.0, 1.0, 0.01, LegalValues::LowEnd::open);
    });
}

template <class Spec>
Field<Spec> flagField(bool Spec::*member, const FieldText& text)
{
    return {.text = text,
            .value = [member](const Spec& spec) { return FieldValue(spec.*member); },
            .assign = [member](Spec& spec,
                               const FieldValue& value) { spec.*member = std::get<bool>(value); },
            .legal = {[](const Spec&, const FieldContext&) { return LegalValues::flag(); },
                      HoldsAlways::yes}};
}

template <class Spec, class Enum>
Field<Spec> choiceField(Enum Spec::*member, const FieldText& text)
{
    static_assert(std::is_enum_v<Enum>);
    return {
        .text = text,
        .value =
            [member](const Spec& spec) { return FieldValue(std::string(enumName(spec.*member))); },
        .assign =
            [member](Spec& spec, const FieldValue& value) {
                const auto names = enumNames<Enum>();
                for (std::size_t i = 0; i < names.size(); ++i) {
                    if (names[i] == std::get<std::string>(value)) {
                        spec.*member = static_cast<Enum>(i);
                    }
                }
            },
        .legal = {[](const Spec&, const FieldContext&) {
                      return LegalValues::choices(enumNames<Enum>());
                  },
                  HoldsAlways::yes}};
}

/// The field with its applies() replaced.
template <class Spec, class Condition>
Field<Spec> onlyIf(Field<Spec> field, Condition condition)
{
    field.applies = std::move(condition);
    return field;
}

/// "Keep" numbers of the FFN family: round(ratio · count), at least 1 (SPEC 5).
inline int kept(double ratio, int count)
{
    const auto rounded = static_cast<int>(std::lround(ratio * count));
    return rounded < 1 ? 1 : rounded;
}

} // namespace flopsmith
