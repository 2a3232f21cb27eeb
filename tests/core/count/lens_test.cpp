// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/count/lens.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

namespace flopsmith {
namespace {

constexpr OpCount<Count> kOfEach{.mac = 1,
                                 .dot = 1'000'000'000,
                                 .mul = 10,
                                 .add = 100,
                                 .div = 1000,
                                 .sqrt = 10'000,
                                 .exp = 100'000,
                                 .cmp = 1'000'000,
                                 .fft = 10'000'000,
                                 .move = 100'000'000};

TEST(Lens, ExactChargesEverythingButMoves)
{
    EXPECT_EQ(digits(priced(LensId::exact, kOfEach)), "11111112");
}

TEST(Lens, MatmulAndMacSeeOnlyContractions)
{
    EXPECT_TRUE(priced(LensId::matmul, kOfEach) == 2);
    EXPECT_TRUE(priced(LensId::mac, kOfEach) == 1);
}

using Node = CostTree<Count>::Node;

Node operation(OpKind kind, const OpCount<Count>& count, Count elements = 0)
{
    Node node;
    node.kind = kind;
    node.elements = elements;
    node.cost.count = count;
    return node;
}

std::vector<Lens> pricingLenses()
{
    std::vector<Lens> some;
    std::copy_if(lenses().begin(), lenses().end(), std::back_inserter(some), [](const Lens& each) {
        return !each.isFormula();
    });
    return some;
}

// A part with one operation of each kind, each executing something of its own.
CostTree<Count> oneOfEachKind()
{
    CostTree<Count> tree;
    const auto root = tree.group("model", kNormComponent);
    for (std::size_t kind = 1; kind < kOpKinds; ++kind) {
        const auto n = static_cast<Count>(kind);
        tree.operation(
            "op",
            static_cast<OpKind>(kind),
            7 * n,
            {.count = {.mac = 100 * n, .dot = 10 * n, .mul = n, .add = 3, .fft = n * n}});
    }
    return tree;
}

TEST(Lens, APartIsTheSumOfItsOperations)
{
    const CostTree<Count> tree = oneOfEachKind();
    for (const Lens& each : pricingLenses()) {
        Count sum = 0;
        for (const Node& node : tree.nodes()) {
            sum += node.kind == OpKind::group ? Count{0} : pricedNode<Count>(each.id, node);
        }

        EXPECT_TRUE(pricedPart(each.id, tree, 0) == sum) << each.name;
        EXPECT_TRUE(sum > 0) << each.name;
    }
}

TEST(Lens, CountsAndOperationsArePricedAlike)
{
    const CostTree<Count> tree = oneOfEachKind();
    for (const LensId id : {LensId::exact, LensId::matmul, LensId::mac}) {
        EXPECT_TRUE(pricedPart(id, tree, 0) == priced(id, tree.total().count)) << lens(id).name;
    }
}

TEST(Lens, ToolsChargeLayerNormByElementAndDoNotSeeRmsNorm)
{
    const Node layerNorm = operation(OpKind::norm, {.mul = 77}, 10);
    const Node rmsNorm = operation(OpKind::rmsNorm, {.mul = 77}, 10);

    EXPECT_TRUE(pricedNode<Count>(LensId::fvcore, layerNorm) == 50);
    EXPECT_TRUE(pricedNode<Count>(LensId::fvcoreEager, layerNorm) == 50);
    EXPECT_TRUE(pricedNode<Count>(LensId::thop, layerNorm) == 40);
    EXPECT_TRUE(pricedNode<Count>(LensId::calflops, layerNorm) == 50);
    for (const LensId id : {LensId::fvcore, LensId::fvcoreEager, LensId::thop, LensId::calflops}) {
        EXPECT_TRUE(pricedNode<Count>(id, rmsNorm) == 0);
        EXPECT_TRUE(isBlindTo(id, rmsNorm)) << lens(id).name;
    }
}

TEST(Lens, FusedAttentionIsUnseenByFvcoreThopAndTorchOnTheCpu)
{
    for (const OpKind kind : {OpKind::scores, OpKind::weightedSum}) {
        const Node core = operation(kind, {.mac = 1000}, 10);

        EXPECT_TRUE(isBlindTo(LensId::fvcore, core));
        EXPECT_TRUE(isBlindTo(LensId::thop, core));
        EXPECT_TRUE(isBlindTo(LensId::torchCpu, core));
        EXPECT_TRUE(pricedNode<Count>(LensId::fvcoreEager, core) == 1000);
    }
}

TEST(Lens, DotSavesAnAdditionPerDotProduct)
{
    const Node linear = operation(OpKind::linear, {.mac = 12, .dot = 3, .add = 3}, 3);

    EXPECT_TRUE(pricedNode<Count>(LensId::dot, linear) == 2 * 12 - 3 + 3);
    EXPECT_TRUE(isBlindTo(LensId::dot, operation(OpKind::transform, {.fft = 9}, 3)));
    EXPECT_TRUE(isBlindTo(LensId::dot, operation(OpKind::selection, {.cmp = 9}, 3)));
}

TEST(Lens, ElectraChargesDropoutWhereBertHasIt)
{
    const Node softmax = operation(OpKind::softmax, {.exp = 1}, 10);
    const Node residual = operation(OpKind::residual, {.add = 10}, 10);
    const Node gate = operation(OpKind::elementwise, {.mul = 10}, 10);
    const Node gelu = operation(OpKind::activation, {.exp = 1}, 10);

    EXPECT_TRUE(pricedNode<Count>(LensId::electra, softmax) == (5 + 4) * 10);
    EXPECT_TRUE(pricedNode<Count>(LensId::electra, residual) == (1 + 4) * 10);
    EXPECT_TRUE(pricedNode<Count>(LensId::electra, gate) == 10);
    EXPECT_TRUE(pricedNode<Count>(LensId::electra, gelu) == 8 * 10);
}

TEST(Lens, NamesAreDifferentAndFindTheirLens)
{
    std::set<std::string_view> names;
    std::set<std::string_view> titles;
    for (const Lens& each : lenses()) {
        names.insert(each.name);
        titles.insert(each.title);
        EXPECT_EQ(lensNamed(each.name), each.id);
        EXPECT_EQ(lens(each.id).name, each.name);
        EXPECT_FALSE(each.rule.empty() || each.source.empty()) << each.name;
    }
    EXPECT_EQ(names.size(), lenses().size());
    EXPECT_EQ(titles.size(), lenses().size());
    EXPECT_EQ(lensNamed("deepspeed"), LensId::calflops);
    EXPECT_EQ(lensNamed("nothing"), std::nullopt);
}

TEST(Lens, GroupsStandTogetherSoThatAListCanBeDivided)
{
    for (std::size_t i = 1; i < lenses().size(); ++i) {
        const bool ordered = lenses()[i - 1].group <= lenses()[i].group;
        EXPECT_TRUE(ordered) << lenses()[i].name;
        EXPECT_FALSE(lensGroupTitle(lenses()[i].group).empty());
    }
}

TEST(Lens, ExactIsTheDefaultAndAloneLooksThroughTheMask)
{
    EXPECT_EQ(lenses().front().id, LensId::exact);
    for (const Lens& each : lenses()) {
        EXPECT_EQ(each.pairs == PairsRule::exact, each.id == LensId::exact) << each.name;
    }
    EXPECT_EQ(lens(LensId::flash).pairs, PairsRule::half);
}

TEST(Lens, IsBlindToWhatItPricesAtNothing)
{
    const Node moves = operation(OpKind::lookup, {.move = 9});

    EXPECT_TRUE(isBlindTo(LensId::matmul, operation(OpKind::transform, {.fft = 1})));
    EXPECT_TRUE(isBlindTo(LensId::mac, operation(OpKind::elementwise, {.add = 1})));
    EXPECT_FALSE(isBlindTo(LensId::exact, operation(OpKind::elementwise, {.add = 1})));
    EXPECT_FALSE(isBlindTo(LensId::matmul, operation(OpKind::linear, {.mac = 1, .add = 5})));
    EXPECT_FALSE(isBlindTo(LensId::matmul, moves)) << "moves are no operations for any lens";
    EXPECT_FALSE(isBlindTo(LensId::matmul, operation(OpKind::linear, {})));
}

TEST(Lens, AFormulaHasNoTermForKindsThatItsAuthorsDidNotHave)
{
    for (const Lens& each : lenses()) {
        if (each.isFormula()) {
            EXPECT_TRUE(isBlindTo(each.id, operation(OpKind::transform, {.fft = 1})));
            EXPECT_FALSE(isBlindTo(each.id, operation(OpKind::linear, {.mac = 1})));
        }
    }
    EXPECT_FALSE(isBlindTo(LensId::chinchilla, operation(OpKind::softmax, {.exp = 1})));
    EXPECT_TRUE(isBlindTo(LensId::kaplan, operation(OpKind::softmax, {.exp = 1})));
}

TEST(Lens, IsBlindToAPartOnlyIfItSeesNothingOfIt)
{
    CostTree<Count> tree;
    {
        const auto root = tree.group("model", kNormComponent);
        {
            const auto part = tree.group("spectral", kNormComponent);
            tree.operation("rfft", OpKind::transform, 4, {.count = {.fft = 40}});
        }
        const auto part = tree.group("dense", kNormComponent);
        tree.operation("c_fc", OpKind::linear, 4, {.count = {.mac = 40}});
        tree.operation("act", OpKind::activation, 4, {.count = {.exp = 4}});
    }

    EXPECT_TRUE(isBlindToPart(LensId::matmul, tree, 1));
    EXPECT_FALSE(isBlindToPart(LensId::matmul, tree, 3));
    EXPECT_FALSE(isBlindToPart(LensId::matmul, tree, 0));
    EXPECT_FALSE(isBlindToPart(LensId::exact, tree, 1));
}

TEST(OpCount, ScalesAndAddsClassByClass)
{
    const OpCount<Count> twice = Count{2} * kOfEach;

    EXPECT_TRUE(twice == kOfEach + kOfEach);
    EXPECT_TRUE(twice.move == 2 * kOfEach.move);
    EXPECT_TRUE(twice.dot == 2 * kOfEach.dot);
}

TEST(NominalRealFft, IsTwoAndAHalfNLogNRounded)
{
    EXPECT_TRUE(nominalRealFft(1) == 0);
    EXPECT_TRUE(nominalRealFft(8) == 60);
    EXPECT_TRUE(nominalRealFft(768) == 18403); // 18403.13
    EXPECT_TRUE(nominalRealFft(3) == 12); // 11.89
}

} // namespace
} // namespace flopsmith
