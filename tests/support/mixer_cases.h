// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mixer/mixer.h"
#include "tests/support/spec_cases.h"

namespace flopsmith::test {

/// Every mixer of the registry with all its choices and flags and several assignments of the
/// numbers.
inline std::vector<MixerSpec> mixerCases(int dModel, int draws = 16)
{
    Random random(static_cast<std::uint64_t>(dModel));
    std::vector<MixerSpec> cases;
    for (const MixerSpec& prototype : mixerPrototypes()) {
        for (const MixerSpec& spec :
             generatedCases(prototype, FieldContext{dModel}, draws, random)) {
            cases.push_back(spec);
        }
    }
    return cases;
}

/// Shapes of prefill: a backward pass has no cached keys.
inline std::vector<Shape> prefillShapes(int dModel)
{
    std::vector<Shape> shapes;
    for (const Shape& shape : awkwardShapes(dModel)) {
        if (shape.context == shape.sequence) {
            shapes.push_back(shape);
        }
    }
    return shapes;
}

/// Whether the reference runs the case in no time.
inline bool isSmall(const MixerSpec& mixer, const Shape& shape)
{
    return costTree(mixer, shape).total().count.mac < 15'000'000;
}

} // namespace flopsmith::test
