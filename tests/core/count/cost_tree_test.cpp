// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/count/cost_tree.h"

#include "core/base/random.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

constexpr Component kPart{"part", "Part", 0x112233, Hatch::none};
constexpr Component kOther{"other", "Other", 0x445566, Hatch::dots};

Cost<Count> multiplications(int n)
{
    return {.count = {.mul = n}, .traffic = {.read = 2 * n}, .parameters = {.trainable = 3 * n}};
}

// model: stem (5), two runs of blocks: 3 × (a 10, b 2 × 100), 1 × (a 1000)
CostTree<Count> model()
{
    CostTree<Count> tree;
    {
        const auto root = tree.group("model", kPart);
        tree.operation("stem", OpKind::lookup, 1, multiplications(5));
        {
            const auto blocks = tree.group("blocks", kPart, 0, 3);
            tree.operation("a", OpKind::linear, 1, multiplications(10));
            const auto inner = tree.group("inner", kOther, -1, 2);
            tree.operation("b", OpKind::linear, 1, multiplications(100));
        }
        const auto last = tree.group("blocks", kPart, 3);
        tree.operation("a", OpKind::linear, 1, multiplications(1000));
    }
    return tree;
}

int indexOf(const CostTree<Count>& tree, std::string_view path)
{
    for (int i = 0; i < tree.size(); ++i) {
        if (tree.path(i) == path) {
            return i;
        }
    }
    ADD_FAILURE() << "no node " << path;
    return -1;
}

Count multiplicationsOf(const CostTree<Count>& tree, std::string_view path)
{
    return tree.total(indexOf(tree, path)).count.mul;
}

TEST(CostTree, TotalsWeighPartsByTheirRepeats)
{
    const CostTree<Count> tree = model();

    EXPECT_TRUE(tree.total().count.mul == 5 + 3 * (10 + 2 * 100) + 1000);
    EXPECT_TRUE(tree.total().traffic.read == 2 * tree.total().count.mul);
    EXPECT_TRUE(tree.total().parameters.trainable == 3 * tree.total().count.mul);
}

TEST(CostTree, TotalOfANodeLeavesOutItsOwnRepeat)
{
    const CostTree<Count> tree = model();

    EXPECT_TRUE(multiplicationsOf(tree, "blocks[0]") == 210);
    EXPECT_TRUE(multiplicationsOf(tree, "blocks[0]/inner") == 100);
    EXPECT_TRUE(multiplicationsOf(tree, "blocks[0]/inner/b") == 100);
}

TEST(CostTree, TimesUsedMultipliesTheRepeatsAbove)
{
    const CostTree<Count> tree = model();

    EXPECT_TRUE(tree.timesUsed(indexOf(tree, "blocks[0]/inner/b")) == 6);
    EXPECT_TRUE(tree.timesUsed(indexOf(tree, "blocks[0]/a")) == 3);
    EXPECT_TRUE(tree.timesUsed(indexOf(tree, "blocks[3]/a")) == 1);
}

TEST(CostTree, OperationsBelongToTheComponentOfTheirGroupUnlessTheyNameOne)
{
    CostTree<Count> tree;
    {
        const auto root = tree.group("model", kPart);
        tree.operation("own", OpKind::norm, 1, {}, &kOther);
        tree.operation("of the group", OpKind::norm, 1, {});
    }

    EXPECT_EQ(tree.node(1).component, &kOther);
    EXPECT_EQ(tree.node(2).component, &kPart);
}

TEST(CostTree, RootHasAnEmptyPathAndAnEmptyTreeCostsNothing)
{
    EXPECT_EQ(model().path(0), "");
    EXPECT_TRUE(CostTree<Count>{}.total() == Cost<Count>{});
}

TEST(CostTreeDeathTest, OperationsNeedAGroup)
{
    CostTree<Count> tree;

    EXPECT_DEATH(tree.operation("lost", OpKind::linear, 1, {}), "m_open");
}

void grow(CostTree<Count>& tree, int depth, Random& random)
{
    const auto group = tree.group("group", kPart, -1, Count{random.integer(1, 4)});
    for (auto parts = random.integer(0, 4); parts > 0; --parts) {
        if (depth > 0 && random.integer(0, 1) == 1) {
            grow(tree, depth - 1, random);
        } else {
            tree.operation(
                "op", OpKind::linear, 1, multiplications(static_cast<int>(random.integer(0, 100))));
        }
    }
}

// For every group of random trees, two ways: total of the group = Σ repeat·total of its children,
// and the whole = Σ times used of the operations.
TEST(CostTree, PartsSumToTheWholeInRandomTrees)
{
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Random random(seed);
        CostTree<Count> tree;
        grow(tree, 4, random);
        Cost<Count> operations;
        for (int i = 0; i < tree.size(); ++i) {
            if (tree.node(i).kind != OpKind::group) {
                operations += tree.timesUsed(i) * tree.node(i).cost;
                continue;
            }
            Cost<Count> children;
            for (int child = i + 1; child < tree.node(i).end; child = tree.node(child).end) {
                EXPECT_EQ(tree.node(child).parent, i);
                children += tree.node(child).repeat * tree.total(child);
            }
            EXPECT_TRUE(children == tree.total(i));
        }
        EXPECT_TRUE(operations == tree.node(0).repeat * tree.total());
    }
}

TEST(OpKind, EveryKindHasANameOfItsOwn)
{
    EXPECT_EQ(opKindName(OpKind::linear), "linear");
    EXPECT_EQ(opKindName(OpKind::weightedSum), "weighted_sum");
    EXPECT_EQ(opKindName(OpKind::selection), "selection");
}

} // namespace
} // namespace flopsmith
