// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/config/config_reader.h"

#include <algorithm>
#include <string_view>

namespace flopsmith {
namespace {

constexpr std::string_view kNames[]{
    "_attn_implementation_autoset",
    "_commit_hash",
    "_name_or_path",
    "architectures",
    "attn_implementation",
    "auto_map",
    "aux_loss_alpha",
    "bad_words_ids",
    "begin_suppress_tokens",
    "cache_implementation",
    "chunk_size_feed_forward",
    "cross_attention_hidden_size",
    "custom_pipelines",
    "diversity_penalty",
    "do_sample",
    "dropout",
    "dropout_rate",
    "dtype",
    "early_stopping",
    "encoder_no_repeat_ngram_size",
    "ep_size",
    "exponential_decay_length_penalty",
    "finetuning_task",
    "gradient_checkpointing",
    "id2label",
    "init_device",
    "init_std",
    "keys_to_ignore_at_inference",
    "label2id",
    "language",
    "layerdrop",
    "length_penalty",
    "license",
    "max_length",
    "min_length",
    "model_type",
    "no_repeat_ngram_size",
    "num_beam_groups",
    "num_beams",
    "num_return_sequences",
    "output_attentions",
    "output_hidden_states",
    "output_past",
    "output_router_logits",
    "output_scores",
    "predict_special_tokens",
    "prefix",
    "pretraining_tp",
    "problem_type",
    "remove_invalid_values",
    "repetition_penalty",
    "return_dict",
    "return_dict_in_generate",
    "router_aux_loss_coef",
    "router_jitter_noise",
    "router_z_loss_coef",
    "selective_checkpoint_enabled",
    "seq_aux",
    "sequence_parallel_enabled",
    "suppress_tokens",
    "task_specific_params",
    "temperature",
    "tf_legacy_loss",
    "tokenizer_class",
    "tokenizer_name",
    "top_k",
    "top_p",
    "torch_dtype",
    "torchscript",
    "transformers.js_config",
    "transformers_version",
    "typical_p",
    "use_bfloat16",
    "use_cache",
    "verbose",
};

constexpr std::string_view kEndings[]{
    "_dropout",
    "_dropout_prob",
    "_dropout_p",
    "_eps",
    "_epsilon",
    "_pdrop",
    "_token_id",
    "_token_index",
};

constexpr std::string_view kBeginnings[]{"initializer_", "problem_", "summary_"};

} // namespace

bool isHarmlessKey(const std::string& key)
{
    const auto ends = [&key](std::string_view ending) {
        return key.size() > ending.size()
            && key.compare(key.size() - ending.size(), ending.size(), ending) == 0;
    };
    const auto begins = [&key](std::string_view start) { return key.rfind(start, 0) == 0; };
    return std::find(std::begin(kNames), std::end(kNames), key) != std::end(kNames)
        || std::any_of(std::begin(kEndings), std::end(kEndings), ends)
        || std::any_of(std::begin(kBeginnings), std::end(kBeginnings), begins);
}

} // namespace flopsmith
