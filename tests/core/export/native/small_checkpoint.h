// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text_file.h"
#include "core/export/torch/tensors/stored_tensors.h"
#include "core/io/hugging_face/import.h"
#include "core/io/hugging_face/weights/native_tensors.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "core/json/json_text.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace flopsmith::test {

/// A prefill of two tokens, as far as a plan of the model's tensors needs one.
inline ModelPlan smallPlan(const Model& model)
{
    Scenario scenario{model, {}};
    scenario.workload.phase = Phase::prefill;
    scenario.workload.batch = 1;
    scenario.workload.sequence = 2;
    const Result<ModelPlan> plan = planOf(scenario);
    EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().message);
    return plan.ok() ? *plan : ModelPlan{};
}

/// A folder of the library in memory: its config, and tensors that count up from 1 from element to
/// element and tensor to tensor.
struct SmallCheckpoint
{
    struct Tensor
    {
        TensorShape shape;
        std::vector<float> values;
    };

    std::string config;
    Model model;
    std::map<std::string, Tensor> tensors;

    explicit SmallCheckpoint(std::string text)
        : config(std::move(text))
    {
        const auto imported = importedConfig(ownJson(config), "config.json");
        EXPECT_TRUE(imported.ok()) << (imported.ok() ? "" : imported.error().message);
        if (!imported.ok()) {
            return;
        }
        model = imported->model;
        const ModelPlan plan = smallPlan(model);
        const auto stored = torch::storedTensors(model, plan);
        EXPECT_TRUE(stored.ok());
        float next = 1.0F;
        for (const torch::StoredTensor& tensor : *stored) {
            const auto natives =
                nativeTensors(*nativeFamily(imported->modelType), model, tensor.name, tensor.shape);
            EXPECT_TRUE(natives.ok()) << (natives.ok() ? "" : natives.error().message);
            for (const NativeTensor& native : *natives) {
                std::vector<float> values(elementsOf(native.shape, sizeof(float)).value_or(0));
                std::iota(values.begin(), values.end(), next);
                next += static_cast<float>(values.size());
                tensors[native.names.front()] = {native.shape, std::move(values)};
            }
        }
    }

    std::size_t elements() const
    {
        std::size_t sum = 0;
        for (const auto& [name, tensor] : tensors) {
            sum += tensor.values.size();
        }
        return sum;
    }

    void rename(const std::string& from, const std::string& to)
    {
        auto node = tensors.extract(from);
        ASSERT_FALSE(node.empty()) << from;
        node.key() = to;
        tensors.insert(std::move(node));
    }

    void write(const std::string& folder) const
    {
        std::filesystem::create_directories(folder);
        std::vector<TensorToWrite> all;
        for (const auto& [name, tensor] : tensors) {
            all.push_back(
                {name, TensorType::f32, tensor.shape, std::span<const float>(tensor.values)});
        }
        const auto written = writeSafetensorsFolder(folder, all);
        ASSERT_TRUE(written.ok()) << written.error().message;
        ASSERT_TRUE(writeFile(folder + "/config.json", config).ok());
    }
};

inline const char* kSmallGpt2 =
    R"({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 7,
        "n_embd": 4, "n_layer": 2, "n_head": 2, "n_positions": 5})";

inline const char* kSmallLlama =
    R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "vocab_size": 7,
        "hidden_size": 8, "intermediate_size": 6, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2, "attention_bias": true,
        "rms_norm_eps": 1e-6, "rope_theta": 500000.0})";

inline const char* kSmallGemma =
    R"({"model_type": "gemma", "architectures": ["GemmaForCausalLM"], "vocab_size": 7,
        "hidden_size": 8, "intermediate_size": 6, "num_hidden_layers": 1,
        "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 6})";

inline const char* kSmallBert =
    R"({"model_type": "bert", "architectures": ["BertForMaskedLM"], "vocab_size": 7,
        "hidden_size": 4, "intermediate_size": 6, "num_hidden_layers": 1,
        "num_attention_heads": 2, "max_position_embeddings": 5})";

/// One model of each family whose names are known, and of their heads.
inline std::vector<std::string> smallConfigs()
{
    const std::string sizes = R"("vocab_size": 7, "hidden_size": 8, "intermediate_size": 6,
        "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2})";
    std::vector<std::string> all{kSmallGpt2, kSmallLlama, kSmallGemma, kSmallBert};
    all.push_back(R"({"model_type": "mistral", "architectures": ["MistralForCausalLM"], )" + sizes);
    all.push_back(R"({"model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"],
        "tie_word_embeddings": true, )"
                  + sizes);
    for (const char* start : {R"({"model_type": "qwen3", "architectures": ["Qwen3ForCausalLM"])",
                              R"({"model_type": "gemma2", "architectures": ["Gemma2ForCausalLM"])",
                              R"({"model_type": "gemma3_text",
                                  "architectures": ["Gemma3ForCausalLM"])"}) {
        all.push_back(start + std::string(R"(, "head_dim": 6, )") + sizes);
    }
    all.push_back(R"({"model_type": "llama", "architectures": ["LlamaModel"], )" + sizes);
    all.push_back(R"({"model_type": "olmo", "architectures": ["OlmoForCausalLM"],
        "clip_qkv": 8.0, )"
                  + sizes);
    all.push_back(R"({"model_type": "mpt", "architectures": ["MptForCausalLM"], "vocab_size": 7,
        "d_model": 8, "n_heads": 2, "n_layers": 2, "attn_config": {"clip_qkv": 6.0}})");
    for (const char* architecture : {"BertModel", "BertForSequenceClassification"}) {
        Json bert = ownJson(kSmallBert);
        bert["architectures"] = {architecture};
        all.push_back(jsonText(bert));
    }
    return all;
}

} // namespace flopsmith::test
