// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/composed.h"
#include "core/ffn/moe.h"
#include "core/mixer/latent_attention.h"
#include "core/model/model.h"

#include <cstdint>
#include <random>

namespace flopsmith::test {

/// Gives a model other numbers that change no count, drawn from a seed.
class DrawnValues
{
public:
    explicit DrawnValues(std::uint64_t seed)
        : m_generator(seed)
    {}

    Model of(Model model)
    {
        set(model.embedding.norm);
        model.embedding.scaleFactor = between(0.5, 4.0);
        for (BlockRun& run : model.runs) {
            set(run.block.norm);
            run.block.residualFactor = between(0.1, 0.9);
            set(run.block.mixer);
            set(run.block.ffn);
        }
        for (int run = 0; run < static_cast<int>(model.runs.size()); ++run) {
            model.alignSharedWith(run);
        }
        set(model.encoderNorm);
        set(model.finalNorm);
        set(model.head.norm);
        model.head.scaleFactor = between(0.1, 0.9);
        return model;
    }

    Rope rope()
    {
        Rope rope{.base = between(100.0, 1e6)};
        rope.scaling = static_cast<RopeScaling>(m_generator() % 4);
        if (!rope.isScaled()) {
            return rope;
        }
        rope.factor = between(1.0, 16.0);
        if (rope.scaling != RopeScaling::linear) {
            rope.trainedPositions = 16 + static_cast<int>(m_generator() % 4096);
        }
        if (rope.scaling == RopeScaling::llama3) {
            rope.lowFrequency = between(0.5, 2.0);
            rope.highFrequency = between(3.0, 8.0);
        } else if (rope.scaling == RopeScaling::yarn) {
            rope.betaFast = between(8.0, 32.0);
            rope.betaSlow = between(0.5, 4.0);
            rope.wholePairs = m_generator() % 2 == 0;
            rope.amplitude = between(0.9, 1.4);
        }
        return rope;
    }

private:
    // The generator is the standard's, so that every machine draws the same.
    double between(double low, double high)
    {
        const double share = static_cast<double>(m_generator() >> 11) / 9007199254740992.0;
        return low + share * (high - low);
    }

    void set(Norm& norm) { norm.epsilon = between(1e-6, 1e-2); }

    void set(MixerSpec& mixer)
    {
        if (auto* attention = get_if<Attention>(&mixer)) {
            attention->rope = rope();
            attention->scoreScale = between(0.1, 0.9);
            attention->qkNormEpsilon = between(1e-6, 1e-2);
            attention->qkvLimit = between(0.3, 3.0);
        } else if (auto* latent = get_if<LatentAttention>(&mixer)) {
            latent->rope = rope();
            latent->scoreScale = between(0.1, 0.9);
            latent->normEpsilon = between(1e-6, 1e-2);
        }
    }

    void set(FfnSpec& ffn)
    {
        if (auto* gated = get_if<GatedFfn>(&ffn)) {
            gated->gate = gate();
        } else if (auto* experts = get_if<MoeFfn>(&ffn)) {
            experts->gate = gate();
        } else if (auto* composed = get_if<ComposedFfn>(&ffn)) {
            for (FfnStage& stage : composed->stages) {
                set(stage.spec);
            }
        }
    }

    GateValues gate()
    {
        return {.limit = between(0.3, 3.0),
                .siluSlope = between(0.5, 2.0),
                .upOffset = between(0.0, 1.0)};
    }

    std::mt19937_64 m_generator;
};

} // namespace flopsmith::test
