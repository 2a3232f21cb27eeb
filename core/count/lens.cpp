// SPDX-License-Identifier: MIT
#include "core/count/lens.h"

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

constexpr std::array<Lens, 18> kLenses{{
    {LensId::exact,
     "exact",
     "exact",
     "FLOPs",
     "every operation counts: 2 per multiply-add, 1 per scalar operation, comparison and "
     "exponential, FFTs nominal; causal attention over the pairs that the mask allows",
     "Flopsmith; each formula is checked against an execution that counts",
     PairsRule::exact,
     LensGroup::counted},
    {LensId::dot,
     "dot",
     "2n - 1 per dot product",
     "FLOPs",
     "2n - 1 per dot product of n terms, 1 per bias, scalar operation, comparison and "
     "exponential, all query-key pairs; no FFTs and no top-k",
     "torch_flops",
     PairsRule::full,
     LensGroup::counted},
    {LensId::matmul,
     "matmul",
     "matmul",
     "FLOPs",
     "2 per multiply-add of matrix products, all query-key pairs even if causal; nothing else",
     "torch FlopCounterMode, nanoGPT, llm-analysis",
     PairsRule::full,
     LensGroup::products,
     LensPricing::perOperation,
     3},
    {LensId::mac,
     "mac",
     "MAC",
     "MACs",
     "1 per multiply-add of matrix products, all query-key pairs; often printed as FLOPs",
     "ptflops, torchvision, most vision papers",
     PairsRule::full,
     LensGroup::products},
    {LensId::flash,
     "flash",
     "matmul, causal halved",
     "FLOPs",
     "2 per multiply-add of matrix products, half of all query-key pairs where attention is "
     "causal; nothing else",
     "benchmarks of FlashAttention",
     PairsRule::half,
     LensGroup::products},
    {LensId::torchCpu,
     "torch_cpu",
     "matmul, attention unseen",
     "FLOPs",
     "2 per multiply-add of linear layers; the fused attention of a CPU is not seen",
     "torch FlopCounterMode on a CPU, before its attention was registered",
     PairsRule::full,
     LensGroup::products},
    {LensId::fvcore,
     "fvcore",
     "fvcore",
     "MACs",
     "1 per multiply-add and 5 per LayerNorm element; fused attention is not seen, nor is anything "
     "else; printed as FLOPs",
     "fvcore with scaled_dot_product_attention, timm since PyTorch 2.1",
     PairsRule::full,
     LensGroup::tools},
    {LensId::fvcoreEager,
     "fvcore_eager",
     "fvcore, eager attention",
     "MACs",
     "1 per multiply-add, those of attention too, and 5 per LayerNorm element; nothing else; "
     "printed as FLOPs",
     "fvcore with attention written as two products",
     PairsRule::full,
     LensGroup::tools},
    {LensId::thop,
     "thop",
     "thop",
     "MACs",
     "1 per multiply-add of linear layers and 4 per LayerNorm element; no products of attention",
     "thop (pytorch-OpCounter), ultralytics-thop",
     PairsRule::full,
     LensGroup::tools},
    {LensId::calflops,
     "calflops",
     "calflops, DeepSpeed",
     "FLOPs",
     "2 per multiply-add, 1 per bias, activation and softmax element, 5 per LayerNorm element, all "
     "query-key pairs; RMSNorm is not seen",
     "calflops, DeepSpeed's flops profiler",
     PairsRule::full,
     LensGroup::tools,
     LensPricing::perOperation,
     3},
    {LensId::electra,
     "electra",
     "ELECTRA",
     "FLOPs",
     "2 per multiply-add, 1 per bias, scale and sum; softmax 5, norm 5 and activation 8 per "
     "element; dropout 4 per probability and per element of a residual; look-ups are free",
     "ELECTRA's flops_computation.py (Clark et al. 2020)",
     PairsRule::full,
     LensGroup::papers,
     LensPricing::perOperation,
     2},
    {LensId::kaplan,
     "kaplan",
     "Kaplan",
     "FLOPs",
     "2N + 2·L·C·(H·h) per token, N without embeddings and head",
     "Kaplan et al. 2020, Scaling Laws for Neural Language Models, table 1",
     PairsRule::full,
     LensGroup::papers,
     LensPricing::formula,
     3},
    {LensId::palm,
     "palm",
     "PaLM",
     "FLOPs",
     "a third of 6N + 12·L·H·h·C per token; N are all parameters but those of a position table",
     "Chowdhery et al. 2022, PaLM, appendix B; nanoGPT's estimate_mfu",
     PairsRule::full,
     LensGroup::papers,
     LensPricing::formula,
     3},
    {LensId::chinchilla,
     "chinchilla",
     "Chinchilla",
     "FLOPs",
     "2 per multiply-add, 3 per score for the softmax, the embedding as a product with its whole "
     "table",
     "Hoffmann et al. 2022, Training Compute-Optimal Large Language Models, appendix F",
     PairsRule::full,
     LensGroup::papers,
     LensPricing::formula,
     3},
    {LensId::megatron,
     "megatron",
     "Megatron-LM",
     "FLOPs",
     "24·B·s·l·h² + 4·B·s²·l·h + 2·B·s·h·V; trained with recomputation "
     "96·B·s·l·h²·(1 + s/6h + V/16lh)",
     "Narayanan et al. 2021, Efficient Large-Scale Language Model Training, appendix",
     PairsRule::full,
     LensGroup::papers,
     LensPricing::formula,
     4},
    {LensId::yu,
     "yu",
     "Yu and Wang",
     "FLOPs",
     "24·D²·L + 4·D·L² per block for L tokens of width D; no embedding and no head",
     "Yu and Wang 2024, MambaOut, section 3",
     PairsRule::full,
     LensGroup::papers,
     LensPricing::formula},
    {LensId::onePager,
     "one_pager",
     "one-pager",
     "FLOPs",
     "2 per multiply-add, 1 per bias, 5 per norm element, 8 per element of an activation; "
     "attention in its corrected form, 4·B·S²·D",
     "the founding notes: Per-Layer FLOPs (One-Pager)",
     PairsRule::full,
     LensGroup::notes,
     LensPricing::perOperation,
     3},
    {LensId::perToken,
     "per_token",
     "per token, no context",
     "MACs",
     "multiply-adds of the blocks for one token, d² for the core of attention whatever the "
     "context, "
     "2 per element of an activation and of a norm",
     "the founding notes: Transformer Per-Token FLOPs Estimation",
     PairsRule::full,
     LensGroup::notes,
     LensPricing::formula},
}};

bool formulaKnows(LensId id, OpKind kind)
{
    switch (kind) {
    case OpKind::linear:
    case OpKind::scores:
    case OpKind::weightedSum: return true;
    case OpKind::softmax:
    case OpKind::lookup: return id == LensId::chinchilla;
    case OpKind::norm:
    case OpKind::rmsNorm:
    case OpKind::activation: return id == LensId::perToken;
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
    case LensGroup::notes: return "As the founding notes reckon";
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
