// SPDX-License-Identifier: MIT
#include "core/export/hugging_face/native_config.h"

#include "core/base/check.h"
#include "core/export/hugging_face/design_differences.h"
#include "core/ffn/gated.h"
#include "core/io/hugging_face/import.h"
#include "core/io/hugging_face/weights/native_names.h"
#include "core/json/json.h"
#include "core/mixer/attention.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace flopsmith {
namespace {

// Names of a family that are used only here.
struct FamilyWords
{
    std::string_view modelType;
    std::string_view title;
    std::string_view lm; ///< the class with an LM head
    std::string_view plain; ///< without one
};

constexpr std::array<FamilyWords, 11> kWords{{
    {"gpt2", "GPT-2", "GPT2LMHeadModel", "GPT2Model"},
    {"llama", "Llama", "LlamaForCausalLM", "LlamaModel"},
    {"mistral", "Mistral", "MistralForCausalLM", "MistralModel"},
    {"qwen2", "Qwen2", "Qwen2ForCausalLM", "Qwen2Model"},
    {"qwen3", "Qwen3", "Qwen3ForCausalLM", "Qwen3Model"},
    {"gemma", "Gemma", "GemmaForCausalLM", "GemmaModel"},
    {"gemma2", "Gemma-2", "Gemma2ForCausalLM", "Gemma2Model"},
    {"gemma3_text", "Gemma-3", "Gemma3ForCausalLM", "Gemma3TextModel"},
    {"bert", "BERT", "BertForMaskedLM", "BertModel"},
    {"olmo", "OLMo", "OlmoForCausalLM", "OlmoModel"},
    {"mpt", "MPT", "MptForCausalLM", "MptModel"},
}};

const FamilyWords& wordsOf(std::string_view modelType)
{
    const auto* const found = std::ranges::find(
        kWords, modelType, [](const FamilyWords& words) { return words.modelType; });
    FLOPSMITH_CHECK(found != kWords.end());
    return *found;
}

// The library's name; of approximated GELU that which the family's files use.
std::string activationName(Activation activation, std::string_view approximated)
{
    switch (activation) {
    case Activation::none: return "linear";
    case Activation::relu: return "relu";
    case Activation::reluSquared: return "relu2";
    case Activation::gelu: return "gelu";
    case Activation::geluTanh: return std::string(approximated);
    case Activation::silu: return "silu";
    default: return std::string(enumName(activation));
    }
}

// The first block, as far as a family can describe it.
struct FirstBlock
{
    explicit FirstBlock(const Model& model)
        : block(model.runs.empty() ? Block{} : model.runs.front().block)
        , attention(holds_alternative<Attention>(block.mixer) ? get<Attention>(block.mixer)
                                                              : Attention{})
    {
        if (const auto* gated = get_if<GatedFfn>(&block.ffn)) {
            dFf = gated->dFf;
            activation = gated->activation;
            ffnBias = gated->bias;
        } else if (const auto* dense = get_if<DenseFfn>(&block.ffn)) {
            dFf = dense->dFf;
            activation = dense->activation;
            ffnBias = dense->bias;
        } else {
            dFf = 4 * model.dModel;
        }
    }

    Block block;
    Attention attention;
    int dFf = 0;
    Activation activation = Activation::silu;
    bool ffnBias = false;
};

std::vector<Attention> attentionsOf(const Model& model)
{
    std::vector<Attention> all;
    for (const BlockRun& run : model.runs) {
        const auto* attention = get_if<Attention>(&run.block.mixer);
        all.insert(all.end(),
                   static_cast<std::size_t>(run.repeat),
                   attention == nullptr ? Attention{} : *attention);
    }
    return all;
}

Json gpt2Config(const Model& model)
{
    const FirstBlock first(model);
    return {{"vocab_size", model.embedding.vocab},
            {"n_positions", model.embedding.positionTableRows()},
            {"n_embd", model.dModel},
            {"n_layer", model.layers()},
            {"n_head", first.attention.heads},
            {"n_inner", first.dFf},
            {"activation_function", activationName(first.activation, "gelu_new")},
            {"layer_norm_epsilon", first.block.norm.epsilon},
            {"scale_attn_weights", first.attention.scaleScores},
            {"tie_word_embeddings", model.head.tied}};
}

Json bertConfig(const Model& model)
{
    const FirstBlock first(model);
    Json config{{"vocab_size", model.embedding.vocab},
                {"max_position_embeddings", model.embedding.positionTableRows()},
                {"type_vocab_size", model.embedding.tokenTypes},
                {"hidden_size", model.dModel},
                {"num_hidden_layers", model.layers()},
                {"num_attention_heads", first.attention.heads},
                {"intermediate_size", first.dFf},
                {"hidden_act", activationName(first.activation, "gelu_new")},
                {"layer_norm_eps", first.block.norm.epsilon},
                {"tie_word_embeddings", model.head.kind != HeadKind::lm || model.head.tied}};
    if (model.head.kind == HeadKind::classifier) {
        config["num_labels"] = model.head.classes;
    }
    return config;
}

// A limit, soft-cap or other number that is 0 here and null in the library's files if absent.
Json numberOrNull(double value)
{
    return value > 0.0 ? Json(value) : Json(nullptr);
}

// The library's class always has ALiBi and an FFN four times as wide, and never scales its logits.
Json mptConfig(const Model& model)
{
    constexpr int kUsualContext = 2048; // the design has no such number
    const FirstBlock first(model);
    return {{"vocab_size", model.embedding.vocab},
            {"max_seq_len", kUsualContext},
            {"d_model", model.dModel},
            {"n_layers", model.layers()},
            {"n_heads", first.attention.heads},
            {"expansion_ratio", 4},
            {"no_bias", true},
            {"layer_norm_epsilon", first.block.norm.epsilon},
            {"attn_config",
             {{"alibi", true},
              {"clip_qkv", numberOrNull(first.attention.qkvLimit)},
              {"softmax_scale", numberOrNull(first.attention.scoreScale)}}},
            {"tie_word_embeddings", model.head.tied}};
}

// The stretching of angles as the library's files have it; null without stretching.
Json ropeScaling(const Rope& rope)
{
    switch (rope.scaling) {
    case RopeScaling::none: return nullptr;
    case RopeScaling::linear: return {{"rope_type", "linear"}, {"factor", rope.factor}};
    case RopeScaling::llama3:
        return {{"rope_type", "llama3"},
                {"factor", rope.factor},
                {"low_freq_factor", rope.lowFrequency},
                {"high_freq_factor", rope.highFrequency},
                {"original_max_position_embeddings", rope.trainedPositions}};
    case RopeScaling::yarn:
        return {{"rope_type", "yarn"},
                {"factor", rope.factor},
                {"original_max_position_embeddings", rope.trainedPositions},
                {"beta_fast", rope.betaFast},
                {"beta_slow", rope.betaSlow},
                {"truncate", rope.wholePairs},
                {"attention_factor", rope.amplitude}};
    }
    return nullptr;
}

// The context length that the class promises; the design has no such number.
int longestContext(const Rope& rope)
{
    constexpr int kUsual = 8192;
    const double stretched = rope.factor * rope.trainedPositions;
    return rope.scaling == RopeScaling::llama3 || rope.scaling == RopeScaling::yarn
        ? static_cast<int>(std::min(stretched, 1e9))
        : kUsual;
}

// The keys of all decoders of the Llama kind.
Json decoderConfig(const Model& model)
{
    const FirstBlock first(model);
    const std::vector<Attention> all = attentionsOf(model);
    const auto full = std::ranges::find(all, 0, &Attention::window);
    const Rope rope = full == all.end() ? first.attention.rope : full->rope;
    Json config{{"vocab_size", model.embedding.vocab},
                {"hidden_size", model.dModel},
                {"intermediate_size", first.dFf},
                {"num_hidden_layers", model.layers()},
                {"num_attention_heads", first.attention.heads},
                {"num_key_value_heads", first.attention.kvHeads},
                {"head_dim", first.attention.headDimFor(model.dModel)},
                {"hidden_act", activationName(first.activation, "gelu_pytorch_tanh")},
                {"rms_norm_eps", first.block.norm.epsilon},
                {"max_position_embeddings", longestContext(rope)},
                {"rope_theta", rope.base},
                {"tie_word_embeddings", model.head.tied}};
    if (const Json scaling = ropeScaling(rope); !scaling.is_null()) {
        config["rope_scaling"] = scaling;
    }
    return config;
}

// The window, and which blocks have it.
void addLayerTypes(const Model& model, Json& config)
{
    Json types = Json::array();
    int window = 0;
    for (const Attention& attention : attentionsOf(model)) {
        types.push_back(attention.window > 0 ? "sliding_attention" : "full_attention");
        window = std::max(window, attention.window);
    }
    config["layer_types"] = std::move(types);
    config["sliding_window"] = window > 0 ? Json(window) : Json(nullptr);
}

void addQwen(const Model& model, Json& config)
{
    addLayerTypes(model, config);
    const bool slides = !config["sliding_window"].is_null();
    config["use_sliding_window"] = slides;
    config["max_window_layers"] = model.layers();
}

// Scores of these families are divided by the root of a number of their own, usually a whole one.
Json queryScalar(const Model& model)
{
    const Attention attention = FirstBlock(model).attention;
    const double scale = attention.scoreFactor(attention.headDimFor(model.dModel));
    const double scalar = 1.0 / (scale * scale);
    const double whole = std::round(scalar);
    return std::abs(scalar - whole) < 1e-9 * scalar ? Json(static_cast<std::int64_t>(whole))
                                                    : Json(scalar);
}

void addGemma(std::string_view modelType, const Model& model, Json& config)
{
    const FirstBlock first(model);
    config["hidden_activation"] = config["hidden_act"];
    config["attention_bias"] = first.attention.qkvBias;
    if (modelType == "gemma") {
        return;
    }
    addLayerTypes(model, config);
    config["query_pre_attn_scalar"] = queryScalar(model);
    if (modelType == "gemma2") {
        config["attn_logit_softcapping"] = numberOrNull(first.attention.softCap);
    }
    config["final_logit_softcapping"] = numberOrNull(model.head.softCap);
    if (modelType == "gemma3_text") {
        const std::vector<Attention> all = attentionsOf(model);
        const auto sliding =
            std::ranges::find_if(all, [](const Attention& each) { return each.window > 0; });
        config["rope_local_base_freq"] = sliding == all.end() ? 10'000.0 : sliding->rope.base;
        config["use_bidirectional_attention"] = !first.attention.causal;
    }
}

Json sizesOf(std::string_view modelType, const Model& model)
{
    if (modelType == "gpt2") {
        return gpt2Config(model);
    }
    if (modelType == "bert") {
        return bertConfig(model);
    }
    if (modelType == "mpt") {
        return mptConfig(model);
    }
    Json config = decoderConfig(model);
    if (modelType == "llama") {
        config["attention_bias"] = FirstBlock(model).attention.qkvBias;
        config["mlp_bias"] = FirstBlock(model).ffnBias;
    } else if (modelType == "olmo") {
        config.erase("rms_norm_eps");
        config["attention_bias"] = FirstBlock(model).attention.qkvBias;
        config["clip_qkv"] = numberOrNull(FirstBlock(model).attention.qkvLimit);
    } else if (modelType == "mistral") {
        const int window = FirstBlock(model).attention.window;
        config["sliding_window"] = window > 0 ? Json(window) : Json(nullptr);
    } else if (modelType == "qwen2" || modelType == "qwen3") {
        addQwen(model, config);
        if (modelType == "qwen3") {
            config["attention_bias"] = FirstBlock(model).attention.qkvBias;
        }
    } else {
        addGemma(modelType, model, config);
    }
    return config;
}

std::string_view className(const FamilyWords& words, const Head& head)
{
    if (words.modelType == "bert" && head.kind == HeadKind::classifier) {
        return "BertForSequenceClassification";
    }
    return head.isLm() ? words.lm : words.plain;
}

std::vector<std::string> differencesTo(std::string_view modelType, const Model& model)
{
    const FamilyWords& words = wordsOf(modelType);
    const Result<ImportedConfig> theirs =
        importedConfig(nativeConfig(modelType, model), "config.json");
    if (!theirs) {
        return {std::string(words.title) + ": " + theirs.error().message};
    }
    if (isSameDesign(theirs->model, model) && theirs->leftOut.empty()) {
        return {};
    }
    std::vector<std::string> sentences = designDifferences(model, theirs->model, words.title);
    sentences.insert(sentences.end(), theirs->leftOut.begin(), theirs->leftOut.end());
    return sentences.empty()
        ? std::vector<std::string>{std::string(words.title) + " computes another model"}
        : sentences;
}

} // namespace

Json nativeConfig(std::string_view modelType, const Model& model)
{
    const FamilyWords& words = wordsOf(modelType);
    Json config{{"model_type", words.modelType},
                {"architectures", Json::array({className(words, model.head)})},
                {"torch_dtype", "float32"},
                {"bos_token_id", nullptr}, // there is no tokenizer
                {"eos_token_id", nullptr}};
    config.update(sizesOf(words.modelType, model));
    return config;
}

std::string nativeAutoClass(std::string_view modelType, const Model& model)
{
    const std::string_view name = className(wordsOf(modelType), model.head);
    for (const auto& [ending, kind] :
         {std::pair{"LMHeadModel", "CausalLM"},
          std::pair{"ForCausalLM", "CausalLM"},
          std::pair{"ForMaskedLM", "MaskedLM"},
          std::pair{"ForSequenceClassification", "SequenceClassification"}}) {
        if (name.ends_with(ending)) {
            return std::string("AutoModelFor") + kind;
        }
    }
    return "AutoModel";
}

NativeFit nativeFit(const Model& model)
{
    std::optional<NativeFit> nearest;
    for (const FamilyWords& words : kWords) {
        NativeFit fit{.modelType = std::string(words.modelType),
                      .title = std::string(words.title),
                      .differences = differencesTo(words.modelType, model)};
        if (fit.fits()) {
            return fit;
        }
        if (!nearest || fit.differences.size() < nearest->differences.size()) {
            nearest = std::move(fit);
        }
    }
    return *nearest;
}

} // namespace flopsmith
