// SPDX-License-Identifier: MIT
#include "core/count/lens.h"

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

constexpr ScalarCharge kEachOperation{.perElement = 0, .perOperation = true};

constexpr ScalarCharge each(int perElement)
{
    return {.perElement = perElement, .perOperation = false};
}

constexpr PriceList everything()
{
    PriceList list{.perMac = 2};
    for (ScalarCharge& charge : list.scalars) {
        charge = kEachOperation;
    }
    return list;
}

constexpr PriceList dotProducts()
{
    PriceList list = everything();
    list.perDot = -1;
    list.of(OpKind::transform) = {};
    list.of(OpKind::selection) = {};
    return list;
}

constexpr PriceList products(int perMac, bool seesAttention, int perLayerNormElement)
{
    PriceList list{.perMac = perMac, .perDot = 0, .seesAttention = seesAttention};
    list.of(OpKind::norm) = each(perLayerNormElement);
    return list;
}

constexpr PriceList calflopsPrices()
{
    PriceList list{.perMac = 2};
    list.of(OpKind::linear) = kEachOperation;
    list.of(OpKind::activation) = each(1);
    list.of(OpKind::softmax) = each(1);
    list.of(OpKind::norm) = each(5);
    return list;
}

constexpr int kDropout = 4;

constexpr PriceList electraPrices()
{
    PriceList list{.perMac = 2};
    list.of(OpKind::linear) = kEachOperation;
    list.of(OpKind::scores) = kEachOperation;
    list.of(OpKind::softmax) = each(5 + kDropout);
    list.of(OpKind::norm) = each(5);
    list.of(OpKind::rmsNorm) = each(5);
    list.of(OpKind::activation) = each(8);
    list.of(OpKind::elementwise) = kEachOperation;
    list.of(OpKind::residual) = {.perElement = kDropout, .perOperation = true};
    list.of(OpKind::lookup) = kEachOperation;
    return list;
}

constexpr PriceList onePagerPrices()
{
    PriceList list{.perMac = 2};
    list.of(OpKind::linear) = kEachOperation;
    list.of(OpKind::norm) = each(5);
    list.of(OpKind::rmsNorm) = each(5);
    list.of(OpKind::activation) = each(8);
    return list;
}

struct PricedLens
{
    Lens lens;
    PriceList prices;
};

// The lenses with a price per kind of operation, in the order of LensId. "flash" has the prices of
// "matmul" and differs only in its pairs.
constexpr std::array kPriced{
    PricedLens{
        {{.name = "exact",
          .title = "exact",
          .unit = "FLOPs",
          .rule =
              "every operation counts: 2 per multiply-add, 1 per scalar operation, comparison and "
              "exponential, FFTs nominal; causal attention over the pairs that the mask allows",
          .source = "Flopsmith; each formula is checked against an execution that counts",
          .pairs = PairsRule::exact,
          .group = LensGroup::counted},
         LensId::exact},
        everything()},
    PricedLens{{{.name = "dot",
                 .title = "2n - 1 per dot product",
                 .unit = "FLOPs",
                 .rule = "2n - 1 per dot product of n terms, 1 per bias, scalar operation, "
                         "comparison and exponential, all query-key pairs; no FFTs and no top-k",
                 .source = "torch_flops",
                 .pairs = PairsRule::full,
                 .group = LensGroup::counted},
                LensId::dot},
               dotProducts()},
    PricedLens{{{.name = "matmul",
                 .title = "matmul",
                 .unit = "FLOPs",
                 .rule = "2 per multiply-add of matrix products, all query-key pairs even if "
                         "causal; nothing else",
                 .source = "torch FlopCounterMode, nanoGPT, llm-analysis",
                 .pairs = PairsRule::full,
                 .group = LensGroup::products,
                 .trainingFactor = 3},
                LensId::matmul},
               products(2, true, 0)},
    PricedLens{
        {{.name = "mac",
          .title = "MAC",
          .unit = "MACs",
          .rule =
              "1 per multiply-add of matrix products, all query-key pairs; often printed as FLOPs",
          .source = "ptflops, torchvision, most vision papers",
          .pairs = PairsRule::full,
          .group = LensGroup::products},
         LensId::mac},
        products(1, true, 0)},
    PricedLens{{{.name = "flash",
                 .title = "matmul, causal halved",
                 .unit = "FLOPs",
                 .rule = "2 per multiply-add of matrix products, half of all query-key pairs where "
                         "attention is causal; nothing else",
                 .source = "benchmarks of FlashAttention",
                 .pairs = PairsRule::half,
                 .group = LensGroup::products},
                LensId::flash},
               products(2, true, 0)},
    PricedLens{
        {{.name = "torch_cpu",
          .title = "matmul, attention unseen",
          .unit = "FLOPs",
          .rule = "2 per multiply-add of linear layers; the fused attention of a CPU is not seen",
          .source = "torch FlopCounterMode on a CPU, before its attention was registered",
          .pairs = PairsRule::full,
          .group = LensGroup::products},
         LensId::torchCpu},
        products(2, false, 0)},
    PricedLens{{{.name = "fvcore",
                 .title = "fvcore",
                 .unit = "MACs",
                 .rule = "1 per multiply-add and 5 per LayerNorm element; fused attention is not "
                         "seen, nor is anything else; printed as FLOPs",
                 .source = "fvcore with scaled_dot_product_attention, timm since PyTorch 2.1",
                 .pairs = PairsRule::full,
                 .group = LensGroup::tools},
                LensId::fvcore},
               products(1, false, 5)},
    PricedLens{{{.name = "fvcore_eager",
                 .title = "fvcore, eager attention",
                 .unit = "MACs",
                 .rule = "1 per multiply-add, those of attention too, and 5 per LayerNorm element; "
                         "nothing else; printed as FLOPs",
                 .source = "fvcore with attention written as two products",
                 .pairs = PairsRule::full,
                 .group = LensGroup::tools},
                LensId::fvcoreEager},
               products(1, true, 5)},
    PricedLens{{{.name = "thop",
                 .title = "thop",
                 .unit = "MACs",
                 .rule = "1 per multiply-add of linear layers and 4 per LayerNorm element; no "
                         "products of attention",
                 .source = "thop (pytorch-OpCounter), ultralytics-thop",
                 .pairs = PairsRule::full,
                 .group = LensGroup::tools},
                LensId::thop},
               products(1, false, 4)},
    PricedLens{{{.name = "calflops",
                 .title = "calflops, DeepSpeed",
                 .unit = "FLOPs",
                 .rule = "2 per multiply-add, 1 per bias, activation and softmax element, 5 per "
                         "LayerNorm element, all query-key pairs; RMSNorm is not seen",
                 .source = "calflops, DeepSpeed's flops profiler",
                 .pairs = PairsRule::full,
                 .group = LensGroup::tools,
                 .trainingFactor = 3},
                LensId::calflops},
               calflopsPrices()},
    PricedLens{{{.name = "electra",
                 .title = "ELECTRA",
                 .unit = "FLOPs",
                 .rule = "2 per multiply-add, 1 per bias, scale and sum; softmax 5, norm 5 and "
                         "activation 8 per element; dropout 4 per probability and per element of a "
                         "residual; look-ups are free",
                 .source = "ELECTRA's flops_computation.py (Clark et al. 2020)",
                 .pairs = PairsRule::full,
                 .group = LensGroup::papers,
                 .trainingFactor = 2},
                LensId::electra},
               electraPrices()},
    PricedLens{{{.name = "one_pager",
                 .title = "one-pager",
                 .unit = "FLOPs",
                 .rule = "2 per multiply-add, 1 per bias, 5 per norm element, 8 per element of an "
                         "activation; attention in its corrected form, 4·B·S²·D",
                 .source = "Per-Layer FLOPs (One-Pager), a design note",
                 .pairs = PairsRule::full,
                 .group = LensGroup::notes,
                 .trainingFactor = 3},
                LensId::onePager},
               onePagerPrices()},
};

static_assert(kPriced.size() == static_cast<std::size_t>(LensId::onePager) + 1);

constexpr std::array kFormulas{
#define FLOPSMITH_FORMULA_LENS(id, Descriptor)                                                     \
    Lens{Descriptor::kText, LensId::id, LensPricing::formula},
    FLOPSMITH_FORMULA_LENSES(FLOPSMITH_FORMULA_LENS)
#undef FLOPSMITH_FORMULA_LENS
};

// Sorts by group; within a group in the order of the two lists.
constexpr auto byGroup()
{
    std::array<Lens, kPriced.size() + kFormulas.size()> all{};
    std::size_t size = 0;
    for (const LensGroup group : {LensGroup::counted,
                                  LensGroup::products,
                                  LensGroup::tools,
                                  LensGroup::papers,
                                  LensGroup::notes}) {
        const auto take = [&](const Lens& each) {
            if (each.group == group) {
                all.at(size++) = each;
            }
        };
        for (const PricedLens& each : kPriced) {
            take(each.lens);
        }
        std::for_each(kFormulas.begin(), kFormulas.end(), take);
    }
    return all;
}

constexpr auto kLenses = byGroup();

bool hasTerm(LensId id, TermKind kind)
{
    const auto summands = formulaSummands(id);
    return std::any_of(summands.begin(), summands.end(), [kind](const FormulaSummand& each) {
        return each.kind == kind;
    });
}

bool formulaKnows(LensId id, OpKind kind)
{
    switch (kind) {
    case OpKind::linear:
    case OpKind::scores:
    case OpKind::weightedSum: return true;
    case OpKind::softmax: return hasTerm(id, TermKind::softmax);
    case OpKind::lookup: return hasTerm(id, TermKind::embeddingAsProduct);
    case OpKind::norm:
    case OpKind::rmsNorm: return hasTerm(id, TermKind::norms);
    case OpKind::activation: return hasTerm(id, TermKind::activations);
    default: return false;
    }
}

bool executes(const OpCount<Count>& count)
{
    return count.mac > 0 || scalarOperations(count) > 0;
}

} // namespace

std::string_view lensGroupTitle(LensGroup group)
{
    switch (group) {
    case LensGroup::counted: return "Every operation";
    case LensGroup::products: return "Matrix products";
    case LensGroup::tools: return "As tools count";
    case LensGroup::papers: return "As papers reckon";
    case LensGroup::notes: return "As design notes reckon";
    }
    return {};
}

std::span<const Lens> lenses()
{
    return kLenses;
}

const Lens& lens(LensId id)
{
    return *std::find_if(
        kLenses.begin(), kLenses.end(), [id](const Lens& l) { return l.id == id; });
}

std::optional<LensId> lensNamed(std::string_view name)
{
    if (name == "deepspeed") {
        return LensId::calflops;
    }
    for (const Lens& candidate : kLenses) {
        if (candidate.name == name) {
            return candidate.id;
        }
    }
    return std::nullopt;
}

std::span<const FormulaSummand> formulaSummands(LensId id)
{
    switch (id) {
#define FLOPSMITH_FORMULA_SUMMANDS(name, Descriptor)                                               \
    case LensId::name: return Descriptor::kSummands;
        FLOPSMITH_FORMULA_LENSES(FLOPSMITH_FORMULA_SUMMANDS)
#undef FLOPSMITH_FORMULA_SUMMANDS
    default: return {};
    }
}

const PriceList& priceList(LensId id)
{
    const auto index = static_cast<std::size_t>(id);
    FLOPSMITH_CHECK(index < kPriced.size());
    return kPriced.at(index).prices;
}

bool isBlindTo(LensId id, const CostTree<Count>::Node& operation)
{
    if (operation.kind == OpKind::group || !executes(operation.cost.count)) {
        return false;
    }
    return lens(id).isFormula() ? !formulaKnows(id, operation.kind)
                                : pricedNode<Count>(id, operation) == 0;
}

bool isBlindToPart(LensId id, const CostTree<Count>& tree, int part)
{
    bool any = false;
    bool blind = true;
    tree.forEachOperation(part, [&](const CostTree<Count>::Node& operation, const Count&) {
        any = any || executes(operation.cost.count);
        blind = blind && (!executes(operation.cost.count) || isBlindTo(id, operation));
    });
    return any && blind;
}

} // namespace flopsmith
