// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/why/figure_text.h"

#include "core/why/why_steps.h"

namespace flopsmith {

FigureText figureText(FigureKind kind)
{
    switch (kind) {
    case FigureKind::flops: return {"cost", "What the part computes in one pass.", "", "formulas"};
    case FigureKind::parameters:
        return {
            "parameters",
            "The numbers that training changes; matrices that two parts share are counted once.",
            "parameters",
            "share"};
    case FigureKind::weights:
        return {"weights",
                "The part's parameters as they are stored on the device.",
                "parameters",
                "memory"};
    case FigureKind::fixed:
        return {"fixed parameters",
                "Numbers that the part reads and that training does not change, 32 bit each.",
                "elements",
                "memory"};
    case FigureKind::gradients:
        return {"gradients", "One number for every trainable parameter.", "parameters", "memory"};
    case FigureKind::optimizer:
        return {"optimizer state",
                "What the optimizer remembers of every trainable parameter, 32 bit each.",
                "parameters",
                "memory"};
    case FigureKind::activations:
        return {"saved activations",
                "What the forward pass saves because the backward pass reads it again.",
                "elements",
                "memory"};
    case FigureKind::cache:
        return {"cache",
                "Keys and values, or latents, of all tokens so far.",
                "elements per token",
                "memory"};
    case FigureKind::temporary:
        return {"largest temporary",
                "The operands of the one operation that needs most while it runs.",
                "elements",
                "memory"};
    case FigureKind::memory:
        return {"memory", "Everything that a device holds of the whole model.", "", "memory"};
    case FigureKind::moved:
        return {"bytes moved",
                "What a pass reads and writes while nothing is fused, each operand once.",
                "elements",
                "roofline"};
    case FigureKind::leastTime: return {"least possible time", kLeastTimeSentence, "", "roofline"};
    case FigureKind::measuredTime: return {"measured time", kMeasuredSentence, "", "run_time"};
    }
    return {};
}

std::optional<MemoryKind> memoryKind(FigureKind kind)
{
    switch (kind) {
    case FigureKind::weights: return MemoryKind::weights;
    case FigureKind::fixed: return MemoryKind::fixed;
    case FigureKind::gradients: return MemoryKind::gradients;
    case FigureKind::optimizer: return MemoryKind::optimizer;
    case FigureKind::activations: return MemoryKind::activations;
    case FigureKind::cache: return MemoryKind::kvCache;
    case FigureKind::temporary: return MemoryKind::temporary;
    default: return std::nullopt;
    }
}

} // namespace flopsmith
