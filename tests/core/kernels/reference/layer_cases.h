// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/spec_cases.h"

#include <vector>

namespace flopsmith::reference {

inline constexpr int kVocab = 11;

template <class Spec>
std::vector<Spec> cases(int dModel)
{
    Random random(static_cast<std::uint64_t>(dModel));
    return test::generatedCases(Spec{}, FieldContext{dModel}, 3, random);
}

/// Calls check(shape) for every awkward width and shape.
template <class Check>
void forEachShape(Check check)
{
    for (const int dModel : test::awkwardWidths()) {
        for (const Shape& shape : test::awkwardShapes(dModel)) {
            check(shape);
        }
    }
}

} // namespace flopsmith::reference
