// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"

namespace flopsmith {

/// d_ff of an FFN with one hidden layer: any positive number.
template <class Spec>
Field<Spec> dFfField()
{
    return integerField(&Spec::dFf,
                        {"d_ff", "f", "d_ff", "width of the hidden layer", "features"},
                        [](const Spec&, const FieldContext&) {
                            return LegalValues::integers(1, 1'048'576, Scale::log2);
                        });
}

} // namespace flopsmith
