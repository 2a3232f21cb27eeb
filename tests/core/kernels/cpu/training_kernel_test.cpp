// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/check.h"
#include "core/kernels/cpu/ffn.h"
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/mixer.h"
#include "core/kernels/reference/layer.h"
#include "tests/core/kernels/cpu/cases.h"
#include "tests/core/kernels/cpu/ffn_variations.h"
#include "tests/core/kernels/cpu/layer_variations.h"
#include "tests/support/embedding_cases.h"
#include "tests/support/ffn_cases.h"
#include "tests/support/mixer_cases.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith::cpu {
namespace {

constexpr Threads kTwo{2};

// Makes kernels of a function that takes weights, input and dy.
template <class Input, class Forward, class Backward>
void expectRenewed(const WeightShapes& shapes,
                   const std::vector<Input>& before,
                   const std::vector<Input>& now,
                   std::size_t outputs,
                   const Forward& forward,
                   const Backward& backward)
{
    Weights<float> weights = randomWeights<float>(shapes, 1);
    std::vector<Input> x = before;
    std::vector<float> dy = randomActivations<float>(outputs, 2);
    const auto trained = std::move(backward(weights, x, dy)).value();
    trained->run();
    const Weights<float> changed = randomWeights<float>(shapes, 3);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        std::ranges::copy(changed[i], weights[i].begin()); // where they are
    }
    std::ranges::copy(now, x.begin());
    std::ranges::copy(randomActivations<float>(outputs, 4), dy.begin());
    std::vector<float> y(outputs);

    trained->forward(y);
    trained->run();

    const std::unique_ptr<Kernel> once = std::move(forward(weights, x)).value();
    once->run();
    const std::vector<double> expected(once->output().begin(), once->output().end());
    EXPECT_TRUE(outputs == 0 || compare(y, expected, kTerms).agrees)
        << compare(y, expected, kTerms).largestError;
    const auto fresh = std::move(backward(weights, x, dy)).value();
    fresh->run();
    EXPECT_TRUE(std::ranges::equal(trained->output(), fresh->output()));
}

class TrainedFfns : public testing::TestWithParam<FfnSpec>
{};

TEST_P(TrainedFfns, SeeChangedWeightsAndInputs)
{
    Random random(7);
    for (const int dModel : {12, 48}) {
        const Shape shape{.batch = 2, .sequence = 20, .context = 20, .dModel = dModel};
        for (FfnSpec ffn : ffnVariations(GetParam(), dModel, 6, random)) {
            if (auto* composed = get_if<ComposedFfn>(&ffn)) {
                composed->dropout = 0.0; // which inference leaves out
            }
            SCOPED_TRACE(test::describeFfn(ffn));
            expectRenewed<float>(
                flopsmith::weights(ffn, dModel),
                randomActivations<float>(shape.activations(), 5),
                randomActivations<float>(shape.activations(), 6),
                shape.activations(),
                [&](const auto& w, const auto& x) { return prepare(ffn, shape, w, x, kTwo); },
                [&](const auto& w, const auto& x, const auto& dy) {
                    return prepareBackward(ffn, shape, w, x, dy, kTwo);
                });
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, TrainedFfns, testing::ValuesIn(ffnPrototypes()), nameOf);

TEST(TrainedMixers, SeeChangedWeightsAndInputs)
{
    Random random(8);
    const Shape shape{.batch = 2, .sequence = 6, .context = 6, .dModel = 12, .source = 5};
    for (const MixerSpec& prototype : mixerPrototypes()) {
        for (const MixerSpec& mixer : variations(prototype, fields(prototype), 12, 12, random)) {
            SCOPED_TRACE(describe(mixer, fields(mixer), shape));
            const std::size_t inputs = operandsOf(mixer, shape).x;
            expectRenewed<float>(
                flopsmith::weights(mixer, 12),
                randomActivations<float>(inputs, 5),
                randomActivations<float>(inputs, 6),
                shape.activations(),
                [&](const auto& w, const auto& x) {
                    return prepare(
                        mixer, shape, w, {.x = x, .cachedKeys = {}, .cachedValues = {}}, kTwo);
                },
                [&](const auto& w, const auto& x, const auto& dy) {
                    return prepareBackward(mixer, shape, w, x, dy, kTwo);
                });
        }
    }
}

TEST(TrainedNorms, SeeChangedWeightsAndInputs)
{
    const Shape shape{.batch = 2, .sequence = 5, .context = 5, .dModel = 20};
    for (const Norm& norm : variationsOf<Norm>(20)) {
        expectRenewed<float>(
            weights(norm, 20),
            randomActivations<float>(shape.activations(), 5),
            randomActivations<float>(shape.activations(), 6),
            shape.activations(),
            [&](const auto& w, const auto& x) {
                return prepare(norm, shape, w, std::span<const float>(x), kTwo);
            },
            [&](const auto& w, const auto& x, const auto& dy) {
                return prepareBackward(norm, shape, w, std::span<const float>(x), dy, kTwo);
            });
    }
}

template <class Input>
void expectRenewedEmbedding(const Embedding& embedding,
                            const Shape& shape,
                            const std::vector<Input>& before,
                            const std::vector<Input>& now)
{
    expectRenewed<Input>(
        weights(embedding, shape.dModel),
        before,
        now,
        shape.activations(),
        [&](const auto& w, const auto& x) {
            return prepare(embedding, shape, w, std::span<const Input>(x), kTwo);
        },
        [&](const auto& w, const auto& x, const auto& dy) {
            return prepareBackward(embedding, shape, w, std::span<const Input>(x), dy, kTwo);
        });
}

TEST(TrainedEmbeddings, SeeChangedWeightsAndInputs)
{
    for (Embedding embedding : variationsOf(8, kEmbeddings)) {
        embedding = test::small(embedding, 60);
        embedding.norm = Norm{};
        SCOPED_TRACE(test::describe(embedding));
        const Shape shape =
            test::shapeFor(embedding, {.batch = 2, .sequence = 5, .context = 5, .dModel = 8});
        test::withInput<float>(embedding, shape, [&](const auto& input) {
            using Input = std::remove_const_t<typename std::decay_t<decltype(input)>::value_type>;
            const std::vector<Input> before(input.begin(), input.end());
            expectRenewedEmbedding<Input>(
                embedding, shape, before, {before.rbegin(), before.rend()});
        });
    }
}

TEST(TrainedHeads, SeeChangedWeightsAndInputs)
{
    const Shape shape{.batch = 2, .sequence = 5, .context = 5, .dModel = 9};
    for (const Head& head : variationsOf(9, kHeads)) {
        SCOPED_TRACE(test::describe(head));
        expectRenewed<float>(
            weights(head, 9, TokenTable(kVocab, 3)),
            randomActivations<float>(shape.activations(), 5),
            randomActivations<float>(shape.activations(), 6),
            reference::headOutputs(head, kVocab, shape),
            [&](const auto& w, const auto& x) {
                return prepare(head, kVocab, shape, w, std::span<const float>(x), kTwo);
            },
            [&](const auto& w, const auto& x, const auto& dy) {
                return prepareBackward(head, kVocab, shape, w, std::span<const float>(x), dy, kTwo);
            });
    }
}

} // namespace
} // namespace flopsmith::cpu
