// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/formula_lens/formula_sizes.h"
#include "core/count/formula_lens/formula_term.h"
#include "core/count/formula_lens/lens_text.h"

#include <array>

namespace flopsmith {

/// Brown et al. 2020, GPT-3: every parameter is multiplied and added once per token, attention left out.
struct Gpt3Lens
{
    static constexpr LensText kText{
        .name = "gpt3",
        .title = "GPT-3, 6N",
        .unit = "FLOPs",
        .rule = "a third of 6N per token; N are all parameters, the context is left out",
        .source = "Brown et al. 2020, Language Models are Few-Shot Learners, appendix D",
        .pairs = PairsRule::full,
        .group = LensGroup::papers,
        .trainingFactor = 3,
    };

    static constexpr std::array kSummands{
        FormulaSummand{"2N, all parameters", TermKind::modelParameters},
    };

    template <class N>
    static std::array<N, 1> amounts(const FormulaSizes<N>& s)
    {
        return {N(2) * s.parameters * s.tokens};
    }
};

} // namespace flopsmith
