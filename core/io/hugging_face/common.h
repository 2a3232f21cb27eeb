// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/hugging_face/family.h"
#include "core/mixer/attention.h"

#include <algorithm>
#include <functional>

namespace flopsmith {

/// The library's spelling of an activation: "gelu_new", "silu", …
Activation activationOf(ConfigReader& config,
                        ConfigReader::Spellings spellings,
                        const char* classDefault);

/// Labels of a classifier, from id2label or num_labels; 2 as the library assumes.
int classesOf(ConfigReader& config);

/// The head of a class that sorts every token into classes: token classification, the two ends of an
/// answer, and the reward or class of a sequence, which a decoder computes at every token.
Head tokenHead(ConfigReader& config, const Architecture& architecture);

/// Marks the keys of rotary positions as read; readValues() reads their values.
void readRotary(ConfigReader& config);

/// The number of features of a head that RoPE rotates: partial_rotary_factor, `spelling` or the
/// default, times the head's; 0 if it rotates all.
int rotaryDimOf(ConfigReader& config, const char* spelling, double factor, int headDim);

/// head_dim where no class has a default: missing or null, it follows from the width. In the form
/// of Attention.
int headDimOf(ConfigReader& config, int heads, int width);

/// A head dimension as Attention keeps it: 0 where it follows from the width.
int storedHeadDim(int headDim, int heads, int width);

/// A sliding window: null means none, a missing key means the class's default (0: none).
int windowOf(ConfigReader& config, const char* key, int classDefault);

/// clip_qkv as Attention::qkvLimit has it: 0 where it is missing, null or false.
double qkvLimitOf(ConfigReader& config);

/// Whether block `layer` of `layers` attends through the window: by layer_types, or without it by
/// `usual`. Only these two kinds of blocks may occur.
std::vector<bool> slidingLayers(ConfigReader& config,
                                int layers,
                                const std::function<bool(int)>& usual);

/// d times a factor, limited to an int: impossible widths are rejected later, by name.
int timesWidth(int factor, int width);

/// A model of equal blocks; a decoder of tokens unless changed.
Model stackOf(const Block& block, int layers);

inline Block& blockIn(Model& model)
{
    return model.runs.front().block;
}

inline Attention& attentionIn(Block& block)
{
    return get<Attention>(block.mixer);
}

inline Attention& attentionIn(Model& model)
{
    return attentionIn(blockIn(model));
}

/// Replaces every block by the result of change(block, its number); equal neighbours become one
/// run.
template <class Change>
void changeEachBlock(Model& model, Change change)
{
    std::vector<BlockRun> changed;
    int layer = 0;
    for (const BlockRun& run : model.runs) {
        for (int i = 0; i < run.repeat; ++i) {
            Block block = run.block;
            change(block, layer++);
            if (!changed.empty() && changed.back().block == block) {
                ++changed.back().repeat;
            } else {
                changed.push_back({block, 1});
            }
        }
    }
    model.runs = std::move(changed);
}

/// Gives these blocks a sliding window.
void setWindows(Model& model, const std::vector<bool>& sliding, int window);

} // namespace flopsmith
