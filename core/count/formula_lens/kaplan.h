// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/formula_lens/formula_sizes.h"
#include "core/count/formula_lens/formula_term.h"
#include "core/count/formula_lens/lens_text.h"

#include <array>

namespace flopsmith {

/// Kaplan et al. 2020, Scaling Laws for Neural Language Models: N has no embeddings and no head.
struct KaplanLens
{
    static constexpr LensText kText{
        .name = "kaplan",
        .title = "Kaplan",
        .unit = "FLOPs",
        .rule = "2N + 2·L·C·(H·h) per token, N without embeddings and head",
        .source = "Kaplan et al. 2020, Scaling Laws for Neural Language Models, table 1",
        .pairs = PairsRule::full,
        .group = LensGroup::papers,
        .trainingFactor = 3,
    };

    static constexpr std::array kSummands{
        FormulaSummand{"2N, N without embeddings", TermKind::blockParameters},
        FormulaSummand{"context, 2·L·C·(H·h)", TermKind::attention},
    };

    template <class N>
    static std::array<N, 2> amounts(const FormulaSizes<N>& s)
    {
        return {N(2) * s.nonEmbedding() * s.tokens, N(2) * s.scores};
    }
};

} // namespace flopsmith
