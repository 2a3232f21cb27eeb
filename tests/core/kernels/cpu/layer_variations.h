// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layer/embedding.h"
#include "core/layer/head.h"
#include "tests/core/kernels/cpu/cases.h"

#include <vector>

namespace flopsmith::cpu {

inline constexpr int kVocab = 41;

template <class Layer>
std::vector<Layer> variationsOf(int dModel, const std::vector<Layer>& prototypes = {Layer{}})
{
    Random random(8);
    std::vector<Layer> all;
    for (const Layer& prototype : prototypes) {
        const auto some = variations(prototype, Layer::fields(), dModel, 10, random);
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

/// Forms whose fields do not apply to the default one.
inline const std::vector<Embedding> kEmbeddings{{},
                                                {.input = InputKind::patches},
                                                {.width = 3, .projection = Projection::biased}};
inline const std::vector<Head> kHeads{{},
                                      {.projection = true, .scale = true},
                                      {.transform = true, .softCap = 2.0},
                                      {.kind = HeadKind::classifier, .classes = 5}};

} // namespace flopsmith::cpu
