// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/weights/native_names.h"

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

// A matrix that is stored [in, out].
constexpr NativeName conv1d(std::string_view ours, std::string_view native)
{
    return {ours, native, NativeForm::transposed};
}

// The rows of queries, keys or values in a joint tensor.
constexpr NativeName part(NativeRows rows, std::string_view ours, std::string_view native)
{
    return {ours, native, NativeForm::same, rows};
}

// A name in the head, which has no prefix.
constexpr NativeName headName(std::string_view ours, std::string_view native)
{
    return {ours, native, NativeForm::same, NativeRows::all, false};
}

// Of a norm that multiplies by 1 + γ.
constexpr NativeName gemmaNorm(std::string_view ours, std::string_view native)
{
    return {ours, native, NativeForm::lessOne};
}

constexpr NativeName kGpt2Names[]{
    {"embedding.tokens.weight", "wte.weight"},
    {"embedding.positions.weight", "wpe.weight"},
    {"blocks.{}.mixer_norm.weight", "h.{}.ln_1.weight"},
    {"blocks.{}.mixer_norm.bias", "h.{}.ln_1.bias"},
    conv1d("blocks.{}.attention.qkv.weight", "h.{}.attn.c_attn.weight"),
    {"blocks.{}.attention.qkv.bias", "h.{}.attn.c_attn.bias"},
    conv1d("blocks.{}.attention.out.weight", "h.{}.attn.c_proj.weight"),
    {"blocks.{}.attention.out.bias", "h.{}.attn.c_proj.bias"},
    {"blocks.{}.ffn_norm.weight", "h.{}.ln_2.weight"},
    {"blocks.{}.ffn_norm.bias", "h.{}.ln_2.bias"},
    conv1d("blocks.{}.ffn.c_fc.weight", "h.{}.mlp.c_fc.weight"),
    {"blocks.{}.ffn.c_fc.bias", "h.{}.mlp.c_fc.bias"},
    conv1d("blocks.{}.ffn.c_proj.weight", "h.{}.mlp.c_proj.weight"),
    {"blocks.{}.ffn.c_proj.bias", "h.{}.mlp.c_proj.bias"},
    {"final_norm.weight", "ln_f.weight"},
    {"final_norm.bias", "ln_f.bias"},
    headName("head.logits.weight", "lm_head.weight"),
};

// Names in decoders of the Llama kind. A model uses those of its own tensors.
constexpr NativeName kLlamaMatrices[]{
    {"embedding.tokens.weight", "embed_tokens.weight"},
    part(NativeRows::queries,
         "blocks.{}.attention.qkv.weight",
         "layers.{}.self_attn.q_proj.weight"),
    part(NativeRows::keys, "blocks.{}.attention.qkv.weight", "layers.{}.self_attn.k_proj.weight"),
    part(NativeRows::values, "blocks.{}.attention.qkv.weight", "layers.{}.self_attn.v_proj.weight"),
    part(NativeRows::queries, "blocks.{}.attention.qkv.bias", "layers.{}.self_attn.q_proj.bias"),
    part(NativeRows::keys, "blocks.{}.attention.qkv.bias", "layers.{}.self_attn.k_proj.bias"),
    part(NativeRows::values, "blocks.{}.attention.qkv.bias", "layers.{}.self_attn.v_proj.bias"),
    {"blocks.{}.attention.out.weight", "layers.{}.self_attn.o_proj.weight"},
    {"blocks.{}.attention.out.bias", "layers.{}.self_attn.o_proj.bias"},
    {"blocks.{}.ffn.gate.weight", "layers.{}.mlp.gate_proj.weight"},
    {"blocks.{}.ffn.gate.bias", "layers.{}.mlp.gate_proj.bias"},
    {"blocks.{}.ffn.up.weight", "layers.{}.mlp.up_proj.weight"},
    {"blocks.{}.ffn.up.bias", "layers.{}.mlp.up_proj.bias"},
    {"blocks.{}.ffn.down.weight", "layers.{}.mlp.down_proj.weight"},
    {"blocks.{}.ffn.down.bias", "layers.{}.mlp.down_proj.bias"},
    headName("head.logits.weight", "lm_head.weight"),
};

constexpr NativeName kLlamaNorms[]{
    {"blocks.{}.mixer_norm.weight", "layers.{}.input_layernorm.weight"},
    {"blocks.{}.attention.q_norm.weight", "layers.{}.self_attn.q_norm.weight"},
    {"blocks.{}.attention.k_norm.weight", "layers.{}.self_attn.k_norm.weight"},
    {"blocks.{}.ffn_norm.weight", "layers.{}.post_attention_layernorm.weight"},
    {"final_norm.weight", "norm.weight"},
};

constexpr NativeName kGemmaNorms[]{
    gemmaNorm("blocks.{}.mixer_norm.weight", "layers.{}.input_layernorm.weight"),
    gemmaNorm("blocks.{}.ffn_norm.weight", "layers.{}.post_attention_layernorm.weight"),
    gemmaNorm("final_norm.weight", "norm.weight"),
};

// Four norms around each block's parts.
constexpr NativeName kSandwichNorms[]{
    gemmaNorm("blocks.{}.mixer_norm.weight", "layers.{}.input_layernorm.weight"),
    gemmaNorm("blocks.{}.mixer_output_norm.weight", "layers.{}.post_attention_layernorm.weight"),
    gemmaNorm("blocks.{}.attention.q_norm.weight", "layers.{}.self_attn.q_norm.weight"),
    gemmaNorm("blocks.{}.attention.k_norm.weight", "layers.{}.self_attn.k_norm.weight"),
    gemmaNorm("blocks.{}.ffn_norm.weight", "layers.{}.pre_feedforward_layernorm.weight"),
    gemmaNorm("blocks.{}.ffn_output_norm.weight", "layers.{}.post_feedforward_layernorm.weight"),
    gemmaNorm("final_norm.weight", "norm.weight"),
};

constexpr NativeName kBertNames[]{
    {"embedding.tokens.weight", "embeddings.word_embeddings.weight"},
    {"embedding.positions.weight", "embeddings.position_embeddings.weight"},
    {"embedding.token_types.weight", "embeddings.token_type_embeddings.weight"},
    {"embedding.norm.weight", "embeddings.LayerNorm.weight"},
    {"embedding.norm.bias", "embeddings.LayerNorm.bias"},
    part(NativeRows::queries,
         "blocks.{}.attention.qkv.weight",
         "encoder.layer.{}.attention.self.query.weight"),
    part(NativeRows::keys,
         "blocks.{}.attention.qkv.weight",
         "encoder.layer.{}.attention.self.key.weight"),
    part(NativeRows::values,
         "blocks.{}.attention.qkv.weight",
         "encoder.layer.{}.attention.self.value.weight"),
    part(NativeRows::queries,
         "blocks.{}.attention.qkv.bias",
         "encoder.layer.{}.attention.self.query.bias"),
    part(NativeRows::keys,
         "blocks.{}.attention.qkv.bias",
         "encoder.layer.{}.attention.self.key.bias"),
    part(NativeRows::values,
         "blocks.{}.attention.qkv.bias",
         "encoder.layer.{}.attention.self.value.bias"),
    {"blocks.{}.attention.out.weight", "encoder.layer.{}.attention.output.dense.weight"},
    {"blocks.{}.attention.out.bias", "encoder.layer.{}.attention.output.dense.bias"},
    {"blocks.{}.mixer_norm.weight", "encoder.layer.{}.attention.output.LayerNorm.weight"},
    {"blocks.{}.mixer_norm.bias", "encoder.layer.{}.attention.output.LayerNorm.bias"},
    {"blocks.{}.ffn.c_fc.weight", "encoder.layer.{}.intermediate.dense.weight"},
    {"blocks.{}.ffn.c_fc.bias", "encoder.layer.{}.intermediate.dense.bias"},
    {"blocks.{}.ffn.c_proj.weight", "encoder.layer.{}.output.dense.weight"},
    {"blocks.{}.ffn.c_proj.bias", "encoder.layer.{}.output.dense.bias"},
    {"blocks.{}.ffn_norm.weight", "encoder.layer.{}.output.LayerNorm.weight"},
    {"blocks.{}.ffn_norm.bias", "encoder.layer.{}.output.LayerNorm.bias"},
    {"head.dense.weight", "pooler.dense.weight"},
    {"head.dense.bias", "pooler.dense.bias"},
    headName("head.classes.weight", "classifier.weight"),
    headName("head.classes.bias", "classifier.bias"),
    headName("head.transform.weight", "cls.predictions.transform.dense.weight"),
    headName("head.transform.bias", "cls.predictions.transform.dense.bias"),
    headName("head.norm.weight", "cls.predictions.transform.LayerNorm.weight"),
    headName("head.norm.bias", "cls.predictions.transform.LayerNorm.bias"),
    headName("head.logits.weight", "cls.predictions.decoder.weight"),
    {"head.logits.bias",
     "cls.predictions.decoder.bias",
     NativeForm::same,
     NativeRows::all,
     false,
     "cls.predictions.bias"},
};

constexpr NativeName kMptNames[]{
    {"embedding.tokens.weight", "wte.weight"},
    {"blocks.{}.mixer_norm.weight", "blocks.{}.norm_1.weight"},
    {"blocks.{}.attention.qkv.weight", "blocks.{}.attn.Wqkv.weight"},
    {"blocks.{}.attention.out.weight", "blocks.{}.attn.out_proj.weight"},
    {"blocks.{}.ffn_norm.weight", "blocks.{}.norm_2.weight"},
    {"blocks.{}.ffn.c_fc.weight", "blocks.{}.ffn.up_proj.weight"},
    {"blocks.{}.ffn.c_proj.weight", "blocks.{}.ffn.down_proj.weight"},
    {"final_norm.weight", "norm_f.weight"},
    headName("head.logits.weight", "lm_head.weight"),
};

constexpr std::string_view kGpt2Unread[]{".attn.bias", ".attn.masked_bias", "lm_head.weight"};
constexpr std::string_view kLlamaUnread[]{".rotary_emb.inv_freq", "lm_head.weight"};
constexpr std::string_view kBertUnread[]{"embeddings.position_ids",
                                         "cls.predictions.decoder.weight",
                                         "cls.predictions.decoder.bias",
                                         "cls.predictions.bias"};

constexpr std::string_view kMptUnread[]{"lm_head.weight"};

constexpr std::array<NativeFamily, 11> kNativeFamilies{{
    {"gpt2", "transformer.", kGpt2Names, {}, kGpt2Unread},
    {"llama", "model.", kLlamaMatrices, kLlamaNorms, kLlamaUnread},
    {"mistral", "model.", kLlamaMatrices, kLlamaNorms, kLlamaUnread},
    {"qwen2", "model.", kLlamaMatrices, kLlamaNorms, kLlamaUnread},
    {"qwen3", "model.", kLlamaMatrices, kLlamaNorms, kLlamaUnread},
    {"gemma", "model.", kLlamaMatrices, kGemmaNorms, kLlamaUnread},
    {"gemma2", "model.", kLlamaMatrices, kSandwichNorms, kLlamaUnread},
    {"gemma3_text", "model.", kLlamaMatrices, kSandwichNorms, kLlamaUnread},
    {"bert", "bert.", kBertNames, {}, kBertUnread},
    {"olmo", "model.", kLlamaMatrices, {}, kLlamaUnread}, // its norms have no weights
    {"mpt", "transformer.", kMptNames, {}, kMptUnread},
}};

} // namespace

const NativeFamily* nativeFamily(std::string_view modelType)
{
    const auto* const found = std::find_if(
        kNativeFamilies.begin(), kNativeFamilies.end(), [modelType](const NativeFamily& family) {
            return family.modelType == modelType;
        });
    return found == kNativeFamilies.end() ? nullptr : &*found;
}

std::span<const NativeFamily> nativeFamilies()
{
    return kNativeFamilies;
}

} // namespace flopsmith
