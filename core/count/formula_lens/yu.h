// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/formula_lens/formula_sizes.h"
#include "core/count/formula_lens/formula_term.h"
#include "core/count/formula_lens/lens_text.h"

#include <array>

namespace flopsmith {

/// Yu and Wang 2024: L tokens of width D; no embedding and no head.
struct YuLens
{
    static constexpr LensText kText{
        .name = "yu",
        .title = "Yu and Wang",
        .unit = "FLOPs",
        .rule = "24·D²·L + 4·D·L² per block for L tokens of width D; no embedding and no head",
        .source = "Yu and Wang 2024, MambaOut, section 3",
        .pairs = PairsRule::full,
        .group = LensGroup::papers,
    };

    static constexpr std::array kSummands{
        FormulaSummand{"24·D²·L", TermKind::blocksAsDense},
        FormulaSummand{"4·D·L²", TermKind::attentionAsFull},
    };

    template <class N>
    static std::array<N, 2> amounts(const FormulaSizes<N>& s)
    {
        const N perBlock = s.tokens * s.layers * s.dModel;
        return {N(24) * perBlock * s.dModel, N(4) * perBlock * s.context};
    }
};

} // namespace flopsmith
