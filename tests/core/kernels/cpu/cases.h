// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/field.h"
#include "core/base/random.h"
#include "core/kernels/shape.h"
#include "core/layer/weight_shape.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

// Specifications to test, generated from the fields of a variant, so that a new option is tested
// without a line here.
namespace flopsmith::cpu {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true; ///< with an allocator of its own
#else
inline constexpr bool kSanitized = false;
#endif

/// Larger than a register, a block and every awkward size below; small enough for the reference.
inline constexpr std::int64_t kLargestTested = 67;

/// Every choice and flag; of numbers the smallest, one in the middle and the largest.
inline std::vector<FieldValue> samples(const LegalValues& legal, const FieldValue& kind)
{
    std::vector<FieldValue> values;
    if (std::holds_alternative<std::int64_t>(kind)) {
        const auto low = static_cast<std::int64_t>(legal.low());
        const auto high =
            std::max(low, std::min(kLargestTested, static_cast<std::int64_t>(legal.high())));
        values = {low, low + (high - low) / 2, high};
    } else if (std::holds_alternative<double>(kind)) {
        values = {0.05, 0.4, 1.0};
    } else if (std::holds_alternative<bool>(kind)) {
        values = {false, true};
    } else {
        for (const std::string_view name : legal.names()) {
            values.emplace_back(std::string(name));
        }
    }
    for (FieldValue& value : values) {
        value = legal.nearest(value);
    }
    return values;
}

/// The specification with every number moved to a legal one for this width.
template <class Spec>
Spec legalised(Spec spec, const std::vector<Field<Spec>>& fields, const FieldContext& context)
{
    for (int round = 0; round < 3; ++round) { // a field's legal values depend on others
        for (const Field<Spec>& field : fields) {
            FieldValue value = field.legal(spec, context).nearest(field.value(spec));
            if (auto* number = std::get_if<std::int64_t>(&value)) {
                const FieldValue capped = std::min(*number, kLargestTested);
                value = field.legal(spec, context).nearest(capped);
            }
            field.assign(spec, value);
        }
    }
    return spec;
}

/// The default, each field's samples alone, and `mixtures` with every field drawn at random.
template <class Spec>
std::vector<Spec> variations(const Spec& prototype,
                             const std::vector<Field<Spec>>& fields,
                             int dModel,
                             int mixtures,
                             Random& random)
{
    const FieldContext context{.dModel = dModel};
    const Spec base = legalised(prototype, fields, context);
    std::vector<Spec> all{base};
    for (const Field<Spec>& field : fields) {
        for (const FieldValue& value : samples(field.legal(base, context), field.value(base))) {
            Spec spec = base;
            field.assign(spec, value);
            all.push_back(legalised(spec, fields, context));
        }
    }
    for (int i = 0; i < mixtures; ++i) {
        Spec spec = base;
        for (const Field<Spec>& field : fields) {
            const auto values = samples(field.legal(spec, context), field.value(spec));
            const auto last = static_cast<std::int64_t>(values.size()) - 1;
            field.assign(spec, values[static_cast<std::size_t>(random.integer(0, last))]);
        }
        all.push_back(legalised(spec, fields, context));
    }
    return all;
}

/// "kind(key=value, …)" for failure messages.
template <class Spec>
std::string describe(const Spec& spec, const std::vector<Field<Spec>>& fields, const Shape& shape)
{
    std::string text(info(spec).id);
    for (const Field<Spec>& field : fields) {
        text += " " + std::string(field.text.key) + "=" + valueText(field.value(spec));
    }
    return text + " batch=" + std::to_string(shape.batch)
        + " sequence=" + std::to_string(shape.sequence)
        + " context=" + std::to_string(shape.context) + " d=" + std::to_string(shape.dModel);
}

/// Of the longest sum of a product with a weight.
inline double longestSum(const WeightShapes& shapes)
{
    std::int64_t terms = 0;
    for (const WeightShape& shape : shapes) {
        terms = std::max(terms, shape.rows);
    }
    return static_cast<double>(terms);
}

/// One, primes, odd numbers, powers of two, one more and one less than a register.
inline std::vector<Shape> awkwardShapes()
{
    return {{.batch = 1, .sequence = 1, .context = 1, .dModel = 1},
            {.batch = 1, .sequence = 1, .context = 1, .dModel = 64},
            {.batch = 1, .sequence = 5, .context = 5, .dModel = 2},
            {.batch = 2, .sequence = 3, .context = 3, .dModel = 7},
            {.batch = 1, .sequence = 17, .context = 17, .dModel = 15},
            {.batch = 1, .sequence = 9, .context = 9, .dModel = 16},
            {.batch = 2, .sequence = 8, .context = 8, .dModel = 33},
            {.batch = 1, .sequence = 65, .context = 65, .dModel = 97}};
}

} // namespace flopsmith::cpu
