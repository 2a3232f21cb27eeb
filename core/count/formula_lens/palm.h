// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/formula_lens/formula_sizes.h"
#include "core/count/formula_lens/formula_term.h"
#include "core/count/formula_lens/lens_text.h"

#include <array>

namespace flopsmith {

/// Chowdhery et al. 2022, PaLM: N is the number of all parameters except a position table's.
struct PalmLens
{
    static constexpr LensText kText{
        .name = "palm",
        .title = "PaLM",
        .unit = "FLOPs",
        .rule =
            "a third of 6N + 12·L·H·h·C per token; N are all parameters but those of a position "
            "table",
        .source = "Chowdhery et al. 2022, PaLM, appendix B; nanoGPT's estimate_mfu",
        .pairs = PairsRule::full,
        .group = LensGroup::papers,
        .trainingFactor = 3,
    };

    static constexpr std::array kSummands{
        FormulaSummand{"2N, all parameters", TermKind::modelParameters},
        FormulaSummand{"context, 4·L·(H·h)·C", TermKind::attention},
    };

    template <class N>
    static std::array<N, 2> amounts(const FormulaSizes<N>& s)
    {
        return {N(2) * (s.parameters - s.positionParameters) * s.tokens, N(2) * s.attentionCore()};
    }
};

} // namespace flopsmith
