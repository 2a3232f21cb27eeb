// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/formula_lens/chinchilla.h"
#include "core/count/formula_lens/gpt3.h"
#include "core/count/formula_lens/kaplan.h"
#include "core/count/formula_lens/megatron.h"
#include "core/count/formula_lens/palm.h"
#include "core/count/formula_lens/per_token.h"
#include "core/count/formula_lens/yu.h"

// The registry of lenses that are a formula of the whole model: a new one is a file in this folder,
// its include above and its line below. Menus, reports, waterfalls, remarks and letters follow.
#define FLOPSMITH_FORMULA_LENSES(X)                                                                \
    X(kaplan, KaplanLens)                                                                          \
    X(gpt3, Gpt3Lens)                                                                              \
    X(palm, PalmLens)                                                                              \
    X(chinchilla, ChinchillaLens)                                                                  \
    X(megatron, MegatronLens)                                                                      \
    X(yu, YuLens)                                                                                  \
    X(perToken, PerTokenLens)
