// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/formula_lens/formula_sizes.h"
#include "core/count/formula_lens/formula_term.h"
#include "core/count/formula_lens/lens_text.h"

#include <array>

namespace flopsmith {

/// Narayanan et al. 2021: equal blocks, trained with recomputation of everything but the logits.
struct MegatronLens
{
    static constexpr LensText kText{
        .name = "megatron",
        .title = "Megatron-LM",
        .unit = "FLOPs",
        .rule = "24·B·s·l·h² + 4·B·s²·l·h + 2·B·s·h·V; trained with recomputation "
                "96·B·s·l·h²·(1 + s/6h + V/16lh)",
        .source = "Narayanan et al. 2021, Efficient Large-Scale Language Model Training, appendix",
        .pairs = PairsRule::full,
        .group = LensGroup::papers,
        .trainingFactor = 4,
    };

    static constexpr std::array kSummands{
        FormulaSummand{"24·B·s·l·h²", TermKind::blocksAsDense},
        FormulaSummand{"4·B·s²·l·h", TermKind::attentionAsFull},
        FormulaSummand{"2·B·s·h·V", TermKind::logitsOfAllTokens, false},
    };

    template <class N>
    static std::array<N, 3> amounts(const FormulaSizes<N>& s)
    {
        const N perBlock = s.tokens * s.layers * s.dModel;
        return {N(24) * perBlock * s.dModel,
                N(4) * perBlock * s.context,
                N(2) * s.tokens * s.dModel * s.vocab};
    }
};

} // namespace flopsmith
