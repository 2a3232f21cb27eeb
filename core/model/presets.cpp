// SPDX-License-Identifier: MIT
#include "core/model/presets.h"

#include "core/ffn/composed.h"
#include "core/ffn/moe.h"
#include "core/mixer/latent_attention.h"
#include "core/mixer/mamba2.h"
#include "core/model/encoder_presets.h"

#include <cmath>

namespace flopsmith {
namespace {

Model gpt2(std::string name, int layers, int dModel, int heads)
{
    Model model;
    model.name = std::move(name);
    model.dModel = dModel;
    Block block;
    block.mixer = Attention{.heads = heads, .kvHeads = heads};
    block.ffn = DenseFfn{.dFf = 4 * dModel};
    model.runs = {{block, layers}};
    return model;
}

Model gpt2Small()
{
    return gpt2("GPT-2 small", 12, 768, 12);
}

Model gpt2Medium()
{
    return gpt2("GPT-2 medium", 24, 1024, 16);
}

Model gpt2Large()
{
    return gpt2("GPT-2 large", 36, 1280, 20);
}

Model gpt2Xl()
{
    return gpt2("GPT-2 XL", 48, 1600, 25);
}

Model gpt2UltraEfficient()
{
    Model model = gpt2Small();
    model.name = "GPT-2 small, ultra-efficient";
    model.runs.front().block.ffn = ultraEfficientSparseFfn();
    return model;
}

Model gpt2HalfSwapped()
{
    Model model = gpt2Small();
    model.name = "GPT-2 small, half swapped";
    BlockRun swapped = model.runs.front();
    swapped.block.ffn = ultraEfficientSparseFfn();
    swapped.repeat = 6;
    model.runs.front().repeat = 6;
    model.runs.push_back(swapped);
    return model;
}

Model gpt2UltraEfficientSequence()
{
    Model model = gpt2Small();
    model.name = "GPT-2 small, UltraEfficientFFN";
    model.runs.front().block.ffn = ultraEfficientFfn(model.dModel, 4 * model.dModel);
    return model;
}

Model gpt2Shared()
{
    Model model = gpt2Small();
    model.name = "GPT-2 small, shared blocks";
    model.runs.front().block.shareGroup = 1;
    return model;
}

struct LlamaSizes
{
    int vocab;
    int layers;
    int dModel;
    int heads;
    int kvHeads;
    int dFf;
    int window = 0;
    double ropeBase = 10'000.0;
    double epsilon = kNormEpsilon;
};

Model llama(std::string name, const LlamaSizes& sizes)
{
    Model model;
    model.name = std::move(name);
    model.dModel = sizes.dModel;
    model.embedding = {.vocab = sizes.vocab, .positions = Positions::none};
    Block block;
    block.mixer = Attention{.heads = sizes.heads,
                            .kvHeads = sizes.kvHeads,
                            .qkvBias = false,
                            .outBias = false,
                            .rotary = true,
                            .window = sizes.window,
                            .rope = {.base = sizes.ropeBase}};
    block.ffn = GatedFfn{.dFf = sizes.dFf};
    block.norm = Norm::rms(sizes.epsilon);
    model.runs = {{block, sizes.layers}};
    model.finalNorm = Norm::rms(sizes.epsilon);
    model.head = {.kind = HeadKind::lm, .tied = false};
    return model;
}

Model llama2Of7B()
{
    return llama(
        "Llama-2-7B",
        {.vocab = 32000, .layers = 32, .dModel = 4096, .heads = 32, .kvHeads = 32, .dFf = 11008});
}

Model llama3Of8B()
{
    return llama("Llama-3-8B",
                 {.vocab = 128256,
                  .layers = 32,
                  .dModel = 4096,
                  .heads = 32,
                  .kvHeads = 8,
                  .dFf = 14336,
                  .ropeBase = 500'000.0});
}

Model mistral7B()
{
    return llama("Mistral-7B",
                 {.vocab = 32000,
                  .layers = 32,
                  .dModel = 4096,
                  .heads = 32,
                  .kvHeads = 8,
                  .dFf = 14336,
                  .window = 4096});
}

// Mistral's attention without its window; two of eight experts of Mistral's FFN for each token.
Model mixtral8x7B()
{
    Model model = llama("Mixtral-8x7B",
                        {.vocab = 32000,
                         .layers = 32,
                         .dModel = 4096,
                         .heads = 32,
                         .kvHeads = 8,
                         .dFf = 14336,
                         .ropeBase = 1e6});
    model.runs.front().block.ffn = MoeFfn{.experts = 8, .perToken = 2, .dFf = 14336};
    return model;
}

// A token chooses 8 of 256 experts, from 4 of 8 groups, in addition to the shared one.
MoeFfn deepseekV3Experts()
{
    return {.experts = 256,
            .perToken = 8,
            .dFf = 2048,
            .score = RouterScore::sigmoid,
            .scale = 2.5,
            .correctionBias = true,
            .groups = 8,
            .groupsPerToken = 4,
            .sharedExperts = 1,
            .sharedDFf = 2048};
}

// Positions are stretched from 4,096 to 163,840, which makes the scale of the scores larger than
// 1/√h.
LatentAttention deepseekV3Attention(double epsilon)
{
    LatentAttention attention{.heads = 128, .qLoraRank = 1536};
    attention.rope = {.scaling = RopeScaling::yarn, .factor = 40.0, .trainedPositions = 4096};
    const double magnitude = 0.1 * std::log(attention.rope.factor) + 1.0;
    attention.scoreScale = std::pow(magnitude, 2.0) * attention.scoreFactor();
    attention.normEpsilon = epsilon;
    return attention;
}

// Three blocks with a plain FFN, 58 with experts. The published file also has a layer that predicts
// the token after the next; it is no part of this pass.
Model deepseekV3()
{
    constexpr double kEpsilon = 1e-6;
    Model model = llama("DeepSeek-V3",
                        {.vocab = 129280,
                         .layers = 3,
                         .dModel = 7168,
                         .heads = 128,
                         .kvHeads = 128,
                         .dFf = 18432,
                         .epsilon = kEpsilon});
    model.runs.front().block.mixer = deepseekV3Attention(kEpsilon);
    Block routed = model.runs.front().block;
    routed.ffn = deepseekV3Experts();
    model.runs.push_back({routed, 58});
    return model;
}

// Every other block has a sliding window of 4096 tokens.
Model gemma2Of2B()
{
    const Norm norm = Norm::rms(1e-6);
    Model model;
    model.name = "Gemma-2-2B";
    model.dModel = 2304;
    model.embedding = {.vocab = 256000, .positions = Positions::none};
    model.embedding.scale = true;
    Attention global{.heads = 8,
                     .kvHeads = 4,
                     .headDim = 256,
                     .qkvBias = false,
                     .outBias = false,
                     .rotary = true};
    global.softCap = 50;
    Block block;
    block.ffn = GatedFfn{.dFf = 9216, .activation = Activation::geluTanh};
    block.norm = norm;
    block.placement = NormPlacement::sandwich;
    for (int i = 0; i < 26; ++i) {
        Attention attention = global;
        attention.window = i % 2 == 0 ? 4096 : 0;
        block.mixer = attention;
        model.runs.push_back({block, 1});
    }
    model.patterns = foundPatterns(model.runs); // as an import has them
    model.finalNorm = norm;
    model.head.softCap = 30;
    return model;
}

// Blocks of a norm and a recurrence twice as wide, without FFNs.
Model mamba2()
{
    Block block;
    block.mixer = Mamba2{.heads = 64};
    block.ffn = FfnSpec();
    block.norm = Norm::rms();
    Model model{.name = "Mamba-2 1.3B", .dModel = 2048};
    model.embedding = {.vocab = 50288, .positions = Positions::none};
    model.runs = {{block, 48}};
    model.finalNorm = Norm::rms();
    return model;
}

Model tiny()
{
    Model model = gpt2("Tiny teaching model", 2, 64, 4);
    model.embedding.vocab = 256;
    model.embedding.positionRows = 128;
    return model;
}

} // namespace

std::string_view title(PresetKind kind)
{
    switch (kind) {
    case PresetKind::cheapFfns: return "Cheap FFNs";
    case PresetKind::decoder: return "Decoders";
    case PresetKind::experts: return "Mixtures of experts";
    case PresetKind::linear: return "Linear-time";
    case PresetKind::encoder: return "Encoders";
    case PresetKind::vision: return "Vision";
    }
    return {};
}

const std::vector<Preset>& presets()
{
    static const std::vector<Preset> kPresets{
        {"gpt2-half-swapped",
         "GPT-2 small, half swapped",
         "six dense blocks, six with UltraEfficientSparseFFN: the first thing to look at",
         PresetKind::cheapFfns,
         gpt2HalfSwapped},
        {"gpt2", "GPT-2 small", "124 M parameters, 12 blocks", PresetKind::decoder, gpt2Small},
        {"gpt2-medium",
         "GPT-2 medium",
         "355 M parameters, 24 blocks",
         PresetKind::decoder,
         gpt2Medium},
        {"gpt2-large",
         "GPT-2 large",
         "774 M parameters, 36 blocks",
         PresetKind::decoder,
         gpt2Large},
        {"gpt2-xl", "GPT-2 XL", "1.6 B parameters, 48 blocks", PresetKind::decoder, gpt2Xl},
        {"gpt2-ultra-efficient",
         "GPT-2 small, ultra-efficient",
         "GPT-2 small with UltraEfficientSparseFFN in every block",
         PresetKind::cheapFfns,
         gpt2UltraEfficient},
        {"gpt2-ultra-efficient-ffn",
         "GPT-2 small, UltraEfficientFFN",
         "GPT-2 small with spectral, polynomial, token feedback and Kronecker stages in sequence",
         PresetKind::cheapFfns,
         gpt2UltraEfficientSequence},
        {"gpt2-shared",
         "GPT-2 small, shared blocks",
         "all 12 blocks own one set of parameters: fewer parameters, the same FLOPs",
         PresetKind::decoder,
         gpt2Shared},
        {"llama-2-7b",
         "Llama-2-7B",
         "MHA, SwiGLU, RMSNorm, RoPE",
         PresetKind::decoder,
         llama2Of7B,
         16},
        {"llama-3-8b",
         "Llama-3-8B",
         "GQA with 8 key-value heads, 128 k vocabulary",
         PresetKind::decoder,
         llama3Of8B,
         16},
        {"mistral-7b",
         "Mistral-7B",
         "GQA and a sliding window of 4096 tokens",
         PresetKind::decoder,
         mistral7B,
         16},
        {"mixtral-8x7b",
         "Mixtral-8x7B",
         "8 experts in every block, 2 of them for each token: 46.7 B parameters, 12.9 B active",
         PresetKind::experts,
         mixtral8x7B,
         16},
        {"deepseek-v3",
         "DeepSeek-V3",
         "latent attention, 8 of 256 experts and a shared one: 671 B parameters, 37.6 B active",
         PresetKind::experts,
         deepseekV3,
         16},
        {"gemma-2-2b",
         "Gemma-2-2B",
         "local and global attention in turn, four norms per block, capped scores and logits",
         PresetKind::decoder,
         gemma2Of2B},
        {"bert-base",
         "BERT-base",
         "encoder with pooler, 110 M parameters",
         PresetKind::encoder,
         bertBase},
        {"fnet-base",
         "FNet-base",
         "BERT-base's shape with Fourier mixing: 83 M parameters, none of them in its mixers",
         PresetKind::encoder,
         fnetBase},
        {"albert-base",
         "ALBERT-base",
         "12 uses of one block, tables of 128 features: 12 M parameters, BERT-base's FLOPs",
         PresetKind::encoder,
         albertBase},
        {"vit-base-patch16-224",
         "ViT-B/16",
         "196 patches of an image and a class token, 1000 classes",
         PresetKind::vision,
         vitBase16},
        {"t5-small",
         "T5-small",
         "encoder and decoder of 6 blocks each with cross-attention, 60.5 M parameters",
         PresetKind::encoder,
         t5Small},
        {"mamba2-1.3b",
         "Mamba-2 1.3B",
         "48 blocks with a state of fixed size in place of attention and its cache",
         PresetKind::linear,
         mamba2},
        {"tiny",
         "Tiny teaching model",
         "2 blocks of width 64: numbers that fit on a board",
         PresetKind::decoder,
         tiny},
    };
    return kPresets;
}

Model newModel()
{
    return gpt2("untitled", 1, 768, 12);
}

const Preset* findPreset(std::string_view id)
{
    for (const Preset& preset : presets()) {
        if (preset.id == id) {
            return &preset;
        }
    }
    return nullptr;
}

std::optional<Model> presetNamed(std::string_view id)
{
    const Preset* preset = findPreset(id);
    return preset != nullptr ? std::optional(preset->make()) : std::nullopt;
}

} // namespace flopsmith
