// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/layer/variant_handle.h"

#include <type_traits>
#include <vector>

namespace flopsmith {

/// A field of one alternative as a field of the whole variant, which must hold that alternative.
template <class Variant, class Spec>
Field<Variant> widened(const Field<Spec>& field)
{
    return {
        .text = field.text,
        .value = [field](const Variant& v) { return field.value(get<Spec>(v)); },
        .assign = [field](Variant& v,
                          const FieldValue& value) { field.assign(get<Spec>(v), value); },
        .legal = {[field](const Variant& v, const FieldContext& c) {
                      return field.legal(get<Spec>(v), c);
                  },
                  field.legal.holdsAlways()},
        .applies = [field](const Variant& v) { return field.applies(get<Spec>(v)); },
    };
}

/// The fields of the alternative that the variant holds.
template <class Variant>
const std::vector<Field<Variant>>& variantFields(const Variant& variant)
{
    return visit(
        [](const auto& spec) -> const std::vector<Field<Variant>>& {
            using Spec = std::decay_t<decltype(spec)>;
            static const std::vector<Field<Variant>> kWidened = [] {
                std::vector<Field<Variant>> all;
                for (const Field<Spec>& field : Spec::fields()) {
                    all.push_back(widened<Variant>(field));
                }
                return all;
            }();
            return kWidened;
        },
        variant);
}

namespace detail {
template <class... Specs>
std::vector<VariantHandle<Specs...>> defaultsOf(
    std::type_identity<VariantHandle<Specs...>> /*variant*/)
{
    return {VariantHandle<Specs...>(Specs{})...};
}
} // namespace detail

/// One default-made variant per alternative, in order.
template <class Variant>
std::vector<Variant> prototypes()
{
    return detail::defaultsOf(std::type_identity<Variant>{});
}

} // namespace flopsmith
