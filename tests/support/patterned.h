// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/gated.h"
#include "core/mixer/attention.h"
#include "core/model/presets.h"

namespace flopsmith::test {

inline Block slidingBlock(Block block, int window)
{
    get<Attention>(block.mixer).window = window;
    return block;
}

/// Two plain blocks, (A B B) × `times`, and one A more: A looks through a window, B is gated.
inline Model patterned(int times = 3)
{
    Model model = *presetNamed("gpt2");
    const Block plain = model.runs.front().block;
    Block gated = plain;
    gated.ffn = GatedFfn{.dFf = 2048};
    const Block sliding = slidingBlock(plain, 64);
    model.runs = {{plain, 2}};
    for (int i = 0; i < times; ++i) {
        model.runs.push_back({sliding, 1});
        model.runs.push_back({gated, 2});
    }
    model.runs.push_back({sliding, 1});
    model.patterns = {{1, 2, times}};
    return model;
}

/// The same runs without the pattern.
inline Model unpatterned(Model model)
{
    model.patterns.clear();
    return model;
}

} // namespace flopsmith::test
