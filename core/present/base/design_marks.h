// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/component.h"
#include "core/study/compare/comparison.h"

#include <cstddef>

namespace flopsmith {

/// The colour of a further design in charts, in the form of a component: chosen by its letter, or
/// otherwise by its index among the further designs.
const Component& designMark(const ComparedDesign& design, std::size_t place);
const Component& designMark(char letter);

/// The mark of the live design, where it needs one.
const Component& liveMark();

} // namespace flopsmith
