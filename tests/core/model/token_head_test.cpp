// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/budget/memory.h"
#include "core/model/model_cost.h"
#include "core/model/operation.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

constexpr int kClasses = 7;

// Of a head that sorts every token, or of an LM head over a vocabulary as large.
Scenario sorting(HeadKind kind, bool transform, Phase phase)
{
    Model model;
    model.dModel = 24;
    model.embedding.vocab = kClasses;
    model.runs = {{Block{}, 2}};
    model.head = {.kind = kind,
                  .tied = kind == HeadKind::tokens, // which it never is
                  .bias = true,
                  .transform = transform,
                  .softCap = kind == HeadKind::tokens ? 30.0 : 0.0, // neither
                  .classes = kClasses,
                  .norm = Norm::absent()};
    return {model, {.phase = phase, .batch = 3, .sequence = 5}};
}

TEST(TokenHead, CostsWhatAnUntiedLmHeadOverItsClassesDoes)
{
    for (const Phase phase : {Phase::prefill, Phase::train}) {
        for (const bool transform : {false, true}) {
            const Scenario tokens = sorting(HeadKind::tokens, transform, phase);
            const Scenario words = sorting(HeadKind::lm, transform, phase);

            EXPECT_EQ(costTree(tokens).total().count, costTree(words).total().count);
            EXPECT_EQ(costTree(tokens).total().parameters.trainable,
                      costTree(words).total().parameters.trainable);
            EXPECT_EQ(memory(tokens).total(), memory(words).total());
        }
    }
}

TEST(TokenHead, IsMeasuredAsAnLmHeadUnderItsOwnName)
{
    const Scenario tokens = sorting(HeadKind::tokens, false, Phase::prefill);
    const Scenario words = sorting(HeadKind::lm, false, Phase::prefill);
    const MeasuredPart part = measuredParts(tokens).back();

    EXPECT_EQ(part.title, "Token classifier");
    EXPECT_EQ(part.operation, measuredParts(words).back().operation);
}

} // namespace
} // namespace flopsmith
