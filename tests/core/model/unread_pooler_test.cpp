// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/json.h"
#include "core/json/spec_json.h"
#include "core/model/model_cost.h"
#include "core/model/operation.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

constexpr int kWidth = 24;
constexpr int kBatch = 3;

// A masked language model, with or without a pooler beside its head.
Scenario masked(bool pooler, Phase phase = Phase::prefill)
{
    Model model;
    model.dModel = kWidth;
    model.runs = {{Block{}, 2}};
    model.head = {.bias = true, .transform = true, .unreadPooler = pooler};
    return {model, {.phase = phase, .batch = kBatch, .sequence = 5}};
}

std::vector<MeasuredPart> partsOfHead(const Scenario& scenario, ComputePass pass)
{
    std::vector<MeasuredPart> parts = measuredParts(scenario, pass);
    std::erase_if(parts, [](const MeasuredPart& part) {
        return !std::holds_alternative<HeadOperation>(part.operation.what);
    });
    return parts;
}

TEST(UnreadPooler, IsExecutedForTheFirstTokenOfEachSequence)
{
    const Cost<Count> with = costTree(masked(true)).total();
    const Cost<Count> without = costTree(masked(false)).total();

    EXPECT_EQ(with.count.mac - without.count.mac, kBatch * kWidth * kWidth);
    EXPECT_EQ(with.count.exp - without.count.exp, kBatch * kWidth);
    EXPECT_EQ(with.parameters.trainable - without.parameters.trainable, kWidth * kWidth + kWidth);
    EXPECT_EQ(with.saved, without.saved);
}

TEST(UnreadPooler, HasNoBackwardPass)
{
    const auto nodes = [](const Scenario& scenario) {
        const CostTree<Count> tree = costTree(scenario);
        return std::count_if(tree.nodes().begin(), tree.nodes().end(), [](const auto& node) {
            return node.name == "pooler";
        });
    };

    EXPECT_EQ(nodes(masked(true, Phase::train)), 1);
    EXPECT_EQ(nodes(masked(false, Phase::train)), 0);
}

// The head is measured as that of a model without a pooler is, the pooler as BERT's.
TEST(UnreadPooler, IsAPartOfItsOwn)
{
    const auto forward = partsOfHead(masked(true), ComputePass::forward);
    const auto alone = partsOfHead(masked(false), ComputePass::forward);

    ASSERT_EQ(forward.size(), 2U);
    ASSERT_EQ(alone.size(), 1U);
    EXPECT_EQ(forward[0].operation, alone[0].operation);
    EXPECT_EQ(forward[1].path, "pooler");
    EXPECT_EQ(std::get<HeadOperation>(forward[1].operation.what).head.kind, HeadKind::pooler);
    EXPECT_EQ(partsOfHead(masked(true), ComputePass::backward).size(), 1U);
}

// Files and stored results of models without one stay what they are.
TEST(UnreadPooler, IsWrittenOnlyWhereThereIsOne)
{
    const auto with = toJson(masked(true).model);

    EXPECT_EQ(with["head"]["unread_pooler"], true);
    EXPECT_EQ(*modelFromJson(with, "model"), masked(true).model);
    EXPECT_FALSE(toJson(masked(false).model)["head"].contains("unread_pooler"));
}

} // namespace
} // namespace flopsmith
