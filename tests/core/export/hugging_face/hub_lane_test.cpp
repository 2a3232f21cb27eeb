// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/hugging_face/design_folder.h"
#include "core/export/torch/tensors/weight_source.h"
#include "core/io/hugging_face/import.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "core/json/json_text.h"
#include "core/kernels/weights.h"
#include "core/mixer/attention.h"
#include "core/run/model_run.h"
#include "tests/support/small_scenario.h"
#include "tests/support/torch_lane.h"

#include <gtest/gtest.h>

// Exported folders as the transformers library runs them: `./dev test torch`.
namespace flopsmith {
namespace {

namespace fs = std::filesystem;

// The folder, with the outputs of the reference in double for two sequences of five tokens.
void exportWithOutputs(const std::string& folder, Scenario scenario)
{
    scenario.workload = {};
    scenario.workload.phase = Phase::prefill;
    scenario.workload.batch = 2;
    scenario.workload.sequence = 5;
    const auto made = writeHuggingFaceFolder(folder, {.scenario = scenario}, {.seed = 5});
    ASSERT_TRUE(made.ok()) << made.error().message;
    const ModelPlan plan = planOf(scenario).value();
    Weights<double> weights;
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
        weights.push_back(randomWeights<double>({plan.tensors[i].shape}, 5 + i).front());
    }
    const auto inputs = randomInputs<double>(plan, 1);
    const auto run = forward<double>(plan, weights, inputs);
    ASSERT_TRUE(run.ok()) << run.error().message;
    const std::vector<std::int64_t> tokens(inputs.tokens.begin(), inputs.tokens.end());
    const std::vector<TensorToWrite> tensors{
        {"tokens", TensorType::i64, {2, 5}, std::span<const std::int64_t>(tokens)},
        {"outputs",
         TensorType::f64,
         {static_cast<std::int64_t>(run->outputs.size())},
         std::span<const double>(run->outputs)}};
    ASSERT_TRUE(writeSafetensors(folder + "/expected.safetensors", tensors).ok());
}

class TorchLaneOfHub : public test::BesideTorchTest
{
protected:
    void add(const std::string& name, const Scenario& scenario)
    {
        const std::string place = (folder() / name).string();
        exportWithOutputs(place, scenario);
        m_folders += " '" + place + "'";
    }

    void expectAllEqual() const
    {
        EXPECT_TRUE(scriptRuns("core/export/hugging_face/check_hub.py", m_folders)) << folder();
    }

private:
    std::string m_folders;
};

// Tiny configs of the families that are exported without code of their own.
std::vector<std::string> nativeConfigs()
{
    const std::string sizes = R"("vocab_size": 61, "hidden_size": 24, "intermediate_size": 40,
        "num_hidden_layers": 3, "num_attention_heads": 4, "max_position_embeddings": 64)";
    const std::string grouped = sizes + R"(, "num_key_value_heads": 2)";
    const std::string sandwich =
        grouped + R"(, "head_dim": 8, "query_pre_attn_scalar": 16, "sliding_window": 4,
             "hidden_activation": "gelu_pytorch_tanh")";
    const auto config = [](const std::string& type, const std::string& keys) {
        return R"({"model_type": ")" + type + R"(", )" + keys + "}";
    };
    return {
        config("gpt2", R"("vocab_size": 61, "n_embd": 24, "n_layer": 3, "n_head": 4,
                          "n_positions": 32, "architectures": ["GPT2LMHeadModel"])"),
        config("llama", grouped + R"(, "rope_theta": 500.0)"),
        config("mistral", grouped + R"(, "sliding_window": 4)"),
        config("qwen2", grouped + R"(, "tie_word_embeddings": true)"),
        config("qwen3", grouped + R"(, "head_dim": 8)"),
        config("gemma", grouped + R"(, "head_dim": 8, "hidden_activation": "gelu_pytorch_tanh")"),
        config("gemma2", sandwich),
        config("gemma3_text", sandwich),
        config("bert", sizes + R"(, "architectures": ["BertForMaskedLM"])"),
        config("olmo", grouped + R"(, "clip_qkv": 0.5)"),
        config("mpt", R"("vocab_size": 61, "d_model": 24, "n_heads": 6, "n_layers": 3,
                         "attn_config": {"clip_qkv": 0.5, "softmax_scale": 0.3})"),
    };
}

TEST_F(TorchLaneOfHub, TransformersComputesTheSameOfEveryNativeFamily)
{
    for (const std::string& text : nativeConfigs()) {
        const auto imported = importedConfig(ownJson(text), "config.json");
        ASSERT_TRUE(imported.ok()) << text << imported.error().message;
        const NativeFit fit = nativeFit(imported->model);
        EXPECT_TRUE(fit.fits()) << text << (fit.fits() ? "" : fit.differences.front());
        EXPECT_EQ(fit.modelType, imported->modelType);
        add("native-" + imported->modelType, {imported->model, {}});
    }
    expectAllEqual();
}

TEST_F(TorchLaneOfHub, TransformersComputesTheSameOfExportedPresets)
{
    for (const Preset& preset : presets()) {
        Scenario scenario = test::smallPreset(preset.id);
        const bool isAsked = scenario.model.head.isLm() && !scenario.model.hasEncoder()
            && !scenario.model.embedding.readsPatches() && !scenario.model.head.hasTransform();
        if (isAsked) {
            if (auto* mixer = get_if<Attention>(&scenario.model.runs.front().block.mixer)) {
                mixer->kvHeads = preset.id == "gpt2" ? mixer->heads : mixer->kvHeads;
            }
            add(std::string(preset.id), scenario);
        }
    }
    expectAllEqual();
}

} // namespace
} // namespace flopsmith
