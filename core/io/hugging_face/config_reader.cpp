// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/config_reader.h"

#include <limits>

namespace flopsmith {
namespace {

// Of every family: names, training, generation and numerics that leave the operations as they are.
constexpr const char* kHarmless[]{
    "_name_or_path",
    "_attn_implementation_autoset",
    "architectures",
    "attn_implementation",
    "bad_words_ids",
    "begin_suppress_tokens",
    "bos_token_id",
    "chunk_size_feed_forward",
    "cls_token_id",
    "decoder_start_token_id",
    "diversity_penalty",
    "do_sample",
    "dtype",
    "early_stopping",
    "eos_token_id",
    "exponential_decay_length_penalty",
    "finetuning_task",
    "forced_bos_token_id",
    "forced_eos_token_id",
    "gradient_checkpointing",
    "id2label",
    "initializer_range",
    "label2id",
    "length_penalty",
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
    "output_scores",
    "pad_token_id",
    "predict_special_tokens",
    "prefix",
    "problem_type",
    "remove_invalid_values",
    "repetition_penalty",
    "return_dict",
    "return_dict_in_generate",
    "selective_checkpoint_enabled",
    "sep_token_id",
    "sequence_parallel_enabled",
    "suppress_tokens",
    "task_specific_params",
    "temperature",
    "tf_legacy_loss",
    "tokenizer_class",
    "top_k",
    "top_p",
    "torch_dtype",
    "torchscript",
    "transformers.js_config",
    "transformers_version",
    "typical_p",
    "use_bfloat16",
    "use_cache",
};

const ConfigReader::Json kNull;

} // namespace

bool ConfigReader::has(const char* key) const
{
    return m_json.contains(key) && !m_json[key].is_null();
}

const ConfigReader::Json& ConfigReader::value(const char* key)
{
    m_read.insert(key);
    return m_json.contains(key) ? m_json[key] : kNull;
}

void ConfigReader::fail(const std::string& key, const std::string& what)
{
    if (!m_error) {
        m_error = Error{key + ": " + what};
    }
}

std::optional<int> ConfigReader::asWhole(const std::string& key, const Json& value, int low)
{
    if (!value.is_number_integer()) {
        fail(key, std::string("expected a whole number, found ") + value.type_name());
        return std::nullopt;
    }
    if (value < low || value > std::numeric_limits<int>::max()) {
        fail(key, value.dump() + " must be from " + std::to_string(low) + " to 2147483647");
        return std::nullopt;
    }
    return value.get<int>();
}

std::optional<int> ConfigReader::optionalSize(std::initializer_list<const char*> spellings)
{
    std::optional<int> found;
    for (const char* key : spellings) {
        const Json& json = value(key);
        if (!found && !json.is_null()) {
            found = asWhole(key, json, 1).value_or(1);
        }
    }
    return found;
}

int ConfigReader::size(std::initializer_list<const char*> spellings)
{
    const std::optional<int> found = optionalSize(spellings);
    if (!found) {
        fail(*spellings.begin(), "missing; the size is needed");
    }
    return found.value_or(1);
}

int ConfigReader::noted(const char* key, int classDefault)
{
    note(std::string(key) + " is missing: " + std::to_string(classDefault)
         + " assumed, the default of this family");
    return classDefault;
}

int ConfigReader::sizeOr(const char* key, int classDefault)
{
    const std::optional<int> found = optionalSize({key});
    return found ? *found : noted(key, classDefault);
}

int ConfigReader::countOr(const char* key, int classDefault)
{
    const Json& json = value(key);
    return json.is_null() ? noted(key, classDefault) : asWhole(key, json, 0).value_or(0);
}

bool ConfigReader::flag(const char* key, bool classDefault)
{
    const Json& json = value(key);
    if (json.is_null()) {
        return classDefault;
    }
    if (!json.is_boolean()) {
        fail(key, std::string("expected true or false, found ") + json.type_name());
        return classDefault;
    }
    return json.get<bool>();
}

std::string ConfigReader::text(const char* key, const std::string& classDefault)
{
    const Json& json = value(key);
    if (json.is_null()) {
        return classDefault;
    }
    if (!json.is_string()) {
        fail(key, std::string("expected a name in quotes, found ") + json.type_name());
        return classDefault;
    }
    return json.get<std::string>();
}

void ConfigReader::refuseFlag(const char* key, const std::string& why)
{
    if (flag(key, false)) {
        fail(key, "true is not supported: " + why);
    }
}

void ConfigReader::ignore(std::initializer_list<const char*> keys)
{
    m_read.insert(keys.begin(), keys.end());
}

Status ConfigReader::status() const
{
    return m_error ? Status(*m_error) : Status(Done{});
}

std::string ConfigReader::unreadKeys() const
{
    std::set<std::string> known = m_read;
    known.insert(std::begin(kHarmless), std::end(kHarmless));
    std::string list;
    for (const auto& item : m_json.items()) {
        if (!known.contains(item.key())) {
            list += (list.empty() ? "" : ", ") + item.key();
        }
    }
    return list;
}

std::vector<std::string> ConfigReader::notes() const
{
    std::vector<std::string> all = m_notes;
    const std::string unread = unreadKeys();
    if (!unread.empty()) {
        all.push_back("not understood, and left out of the count: " + unread);
    }
    return all;
}

} // namespace flopsmith
