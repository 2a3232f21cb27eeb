// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/formula_lens/formula_sizes.h"
#include "core/count/formula_lens/formula_term.h"
#include "core/count/formula_lens/lens_text.h"

#include <array>

namespace flopsmith {

/// Hoffmann et al. 2022: the embedding is a product with its whole table.
struct ChinchillaLens
{
    static constexpr LensText kText{
        .name = "chinchilla",
        .title = "Chinchilla",
        .unit = "FLOPs",
        .rule = "2 per multiply-add, 3 per score for the softmax, the embedding as a product with "
                "its whole table",
        .source =
            "Hoffmann et al. 2022, Training Compute-Optimal Large Language Models, appendix F",
        .pairs = PairsRule::full,
        .group = LensGroup::papers,
        .trainingFactor = 3,
    };

    static constexpr std::array kSummands{
        FormulaSummand{"embedding as a product", TermKind::embeddingAsProduct},
        FormulaSummand{"projections and FFNs", TermKind::products},
        FormulaSummand{"scores and weighted sums", TermKind::attention},
        FormulaSummand{"softmax, 3 per score", TermKind::softmax},
        FormulaSummand{"logits", TermKind::logits},
    };

    template <class N>
    static std::array<N, 5> amounts(const FormulaSizes<N>& s)
    {
        return {N(2) * s.tokenLookups * s.vocab + N(2) * s.embeddingProducts,
                N(2) * s.blockProducts(),
                N(2) * s.attentionCore(),
                N(3) * s.softmax,
                N(2) * s.headProducts};
    }
};

} // namespace flopsmith
