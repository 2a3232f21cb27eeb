// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/field.h"
#include "core/base/numbers.h"
#include "core/base/random.h"
#include "core/count/cost_tree.h"
#include "core/kernels/shape.h"

#include <algorithm>
#include <string>
#include <vector>

// Generates specifications from their fields, so that a test over "all options" also covers the
// options of a variant that did not exist when the test was written.
namespace flopsmith::test {

template <class Spec>
auto fieldsOf(const Spec& spec) -> decltype(fields(spec))
{
    return fields(spec);
}

template <class Spec>
auto fieldsOf(const Spec& /*spec*/) -> decltype(Spec::fields())
{
    return Spec::fields();
}

/// "d_ff=7 activation=relu bias=true", to say which case failed.
template <class Spec>
std::string describe(const Spec& spec)
{
    std::string text;
    for (const auto& field : fieldsOf(spec)) {
        text += std::string(field.text.key) + "=" + valueText(field.value(spec)) + " ";
    }
    return text;
}

/// Every value moved to the nearest legal one. Twice, because legal values depend on others.
template <class Spec>
Spec fitted(Spec spec, const FieldContext& context)
{
    for (int round = 0; round < 2; ++round) {
        for (const auto& field : fieldsOf(spec)) {
            const LegalValues legal = field.legal(spec, context);
            if (!legal.contains(field.value(spec))) {
                field.assign(spec, legal.nearest(field.value(spec)));
            }
        }
    }
    return spec;
}

/// From this draw on, numbers are random.
inline constexpr int kRandomDraw = 9;

/// Small and awkward numbers in every numeric field. The first kRandomDraw draws take every field
/// through every candidate; later ones mix them.
template <class Spec>
Spec withNumbers(Spec spec, const FieldContext& context, int draw, Random& random)
{
    const int d = context.dModel;
    const std::vector<std::int64_t> integers{0, 1, 2, 3, 5, d / 2, d - 1, d, d + 1};
    const std::vector<double> reals{0.0, 0.01, 0.3, 0.5, 0.77, 1.0};
    const auto pick = [&](const auto& from) {
        const auto count = static_cast<std::int64_t>(from.size());
        const std::int64_t i = draw < kRandomDraw ? draw % count : random.integer(0, count - 1);
        return FieldValue(from[static_cast<std::size_t>(i)]);
    };
    for (const auto& field : fieldsOf(spec)) {
        const FieldValue value = field.value(spec);
        const LegalValues legal = field.legal(spec, context);
        if (std::holds_alternative<std::int64_t>(value)) {
            field.assign(spec, legal.nearest(pick(integers)));
        } else if (std::holds_alternative<double>(value)) {
            field.assign(spec, legal.nearest(pick(reals)));
        }
    }
    return fitted(spec, context);
}

inline bool isChoice(const FieldValue& value)
{
    return std::holds_alternative<bool>(value) || std::holds_alternative<std::string>(value);
}

/// The specification with every combination of its choices and flags.
template <class Spec>
std::vector<Spec> withChoices(const Spec& spec, const FieldContext& context)
{
    std::vector<Spec> all{spec};
    for (const auto& field : fieldsOf(spec)) {
        if (!isChoice(field.value(spec))) {
            continue;
        }
        std::vector<Spec> more;
        for (const Spec& each : all) {
            for (const FieldValue& value : field.legal(each, context).stops()) {
                more.push_back(each);
                field.assign(more.back(), value);
            }
        }
        all = std::move(more);
    }
    std::vector<Spec> different;
    for (const Spec& each : all) {
        const Spec legal = fitted(each, context);
        if (std::find(different.begin(), different.end(), legal) == different.end()) {
            different.push_back(legal);
        }
    }
    return different;
}

/// The specification with each of its choices and flags drawn.
template <class Spec>
Spec withDrawnChoices(Spec spec, const FieldContext& context, Random& random)
{
    for (const auto& field : fieldsOf(spec)) {
        if (isChoice(field.value(spec))) {
            const std::vector<FieldValue> stops = field.legal(spec, context).stops();
            const auto last = static_cast<std::int64_t>(stops.size()) - 1;
            field.assign(spec, stops[static_cast<std::size_t>(random.integer(0, last))]);
        }
    }
    return fitted(spec, context);
}

/// How many combinations of choices and flags there are.
template <class Spec>
std::size_t combinations(const Spec& spec, const FieldContext& context)
{
    std::size_t count = 1;
    for (const auto& field : fieldsOf(spec)) {
        if (isChoice(field.value(spec))) {
            count *= field.legal(spec, context).stops().size();
        }
    }
    return count;
}

/// Of a variant with more combinations than this, every draw takes as many others.
inline constexpr std::size_t kMaxCombinations = 64;

/// All choices and flags with `draws` assignments of the numbers each.
template <class Spec>
std::vector<Spec> generatedCases(const Spec& prototype,
                                 const FieldContext& context,
                                 int draws,
                                 Random& random)
{
    std::vector<Spec> cases;
    for (int draw = 0; draw < draws; ++draw) {
        const Spec numbers = withNumbers(prototype, context, draw, random);
        if (combinations(numbers, context) > kMaxCombinations) {
            for (std::size_t i = 0; i < kMaxCombinations; ++i) {
                cases.push_back(withDrawnChoices(numbers, context, random));
            }
            continue;
        }
        for (const Spec& each : withChoices(numbers, context)) {
            cases.push_back(each);
        }
    }
    return cases;
}

/// What goes through a layer in an execution of this shape.
inline Pass<Count> passOf(const Shape& shape, PairsRule pairs = PairsRule::exact)
{
    static const Numbers<Count> kNumbers;
    return {.numbers = kNumbers,
            .batch = shape.batch,
            .sequence = shape.sequence,
            .context = shape.context,
            .dModel = shape.dModel,
            .batchValue = shape.batch,
            .dModelValue = shape.dModel,
            .sequenceValue = shape.sequence,
            .contextValue = shape.context,
            .pairs = pairs,
            .source = shape.source,
            .sourceValue = shape.source,
            .training = shape.training};
}

/// A tree of one group, filled by `add(pass, tree)`.
template <class Add>
CostTree<Count> treeOf(const Shape& shape, Add add, PairsRule pairs = PairsRule::exact)
{
    CostTree<Count> tree;
    {
        const auto group = tree.group("part", kNormComponent);
        add(passOf(shape, pairs), tree);
    }
    return tree;
}

/// The tree of one specification.
template <class Spec>
CostTree<Count> costTree(const Spec& spec, const Shape& shape, PairsRule pairs = PairsRule::exact)
{
    return treeOf(
        shape,
        [&](const Pass<Count>& pass, CostTree<Count>& tree) { addCost(spec, pass, tree); },
        pairs);
}

/// Odd, prime, even and smallest widths.
inline std::vector<int> awkwardWidths()
{
    return {1, 2, 7, 9, 12, 16};
}

/// One token, several, a batch, and decode with keys in the cache; with an encoder's output of as
/// many tokens, of one, of fewer and of more.
inline std::vector<Shape> awkwardShapes(int dModel)
{
    return {{1, 1, 1, dModel},
            {1, 4, 4, dModel, 1},
            {2, 3, 3, dModel, 5},
            {2, 1, 5, dModel, 3},
            {1, 1, 7, dModel},
            {1, 2, 7, dModel, 11}};
}

} // namespace flopsmith::test
