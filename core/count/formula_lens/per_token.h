// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/formula_lens/formula_sizes.h"
#include "core/count/formula_lens/formula_term.h"
#include "core/count/formula_lens/lens_text.h"

#include <array>

namespace flopsmith {

/// A design note: the blocks of one token, with their slip corrected.
struct PerTokenLens
{
    static constexpr LensText kText{
        .name = "per_token",
        .title = "per token, no context",
        .unit = "MACs",
        .rule = "multiply-adds of the blocks for one token, d² for the core of attention whatever "
                "the context, 2 per element of an activation and of a norm",
        .source = "Transformer Per-Token FLOPs Estimation, a design note",
        .pairs = PairsRule::full,
        .group = LensGroup::notes,
    };

    static constexpr std::array kSummands{
        FormulaSummand{"projections", TermKind::mixerProductsOfOneToken},
        FormulaSummand{"core of attention, d²", TermKind::attentionAsSquare},
        FormulaSummand{"FFNs", TermKind::ffnProductsOfOneToken},
        FormulaSummand{"activations, 2 per element", TermKind::activations},
        FormulaSummand{"norms, 2 per element", TermKind::norms},
    };

    template <class N>
    static std::array<N, 5> amounts(const FormulaSizes<N>& s)
    {
        return {perToken(s.mixerProducts, s),
                s.attentionLayers * s.dModel * s.dModel,
                perToken(s.ffnProducts, s),
                N(2) * perToken(s.activations, s),
                N(2) * perToken(s.norms, s)};
    }
};

} // namespace flopsmith
