// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/component.h"
#include "core/study/compare/comparison.h"

#include <cstddef>

namespace flopsmith {

/// The colour of a design that stands beside another one in charts, as if it were a component: by
/// its letter, else by its place among the others.
const Component& designMark(const ComparedDesign& design, std::size_t place);
const Component& designMark(char letter);

/// That of the design itself, where it needs one.
const Component& liveMark();

} // namespace flopsmith
