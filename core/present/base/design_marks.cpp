// SPDX-License-Identifier: MIT
#include "core/present/base/design_marks.h"

#include <array>

namespace flopsmith {
namespace {

// Not the colours of components, and distinguishable by lightness too.
constexpr std::array<Component, kMaxDesigns - 1> kDesignMarks{
    {{"design_a", "A", 0xC2255C, Hatch::none},
     {"design_b", "B", 0x5F3DC4, Hatch::none},
     {"design_c", "C", 0x2B8A3E, Hatch::none}}};

constexpr Component kLiveMark{"design", "This design", 0x4E5A66, Hatch::none};

} // namespace

const Component& liveMark()
{
    return kLiveMark;
}

const Component& designMark(const ComparedDesign& design, std::size_t place)
{
    return design.letter.size() == 1 ? designMark(design.letter.front())
                                     : kDesignMarks.at(place % kDesignMarks.size());
}

const Component& designMark(char letter)
{
    const auto place = static_cast<std::size_t>(letter < 'A' ? 0 : letter - 'A');
    return kDesignMarks.at(place % kDesignMarks.size());
}

} // namespace flopsmith
