// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/hugging_face/design_folder.h"
#include "core/export/torch/weight_source.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "core/kernels/weights.h"
#include "core/run/model_run.h"
#include "tests/support/small_scenario.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

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

TEST(TorchLaneOfHub, TransformersComputesTheSameOfExportedFolders)
{
    const char* python = std::getenv("FLOPSMITH_TORCH_PYTHON");
    if (python == nullptr || *python == '\0') {
        GTEST_SKIP() << "FLOPSMITH_TORCH_PYTHON names no Python with PyTorch: ./dev test torch";
    }
    std::string pattern = (fs::temp_directory_path() / "flopsmith-hub-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    std::string folders;
    for (const Preset& preset : presets()) {
        Scenario scenario = test::smallPreset(preset.id);
        const bool isAsked = scenario.model.head.isLm() && !scenario.model.hasEncoder()
            && !scenario.model.embedding.readsPatches() && !scenario.model.head.hasTransform();
        if (isAsked) {
            if (auto* mixer = std::get_if<Attention>(&scenario.model.runs.front().block.mixer)) {
                mixer->kvHeads = preset.id == "gpt2" ? mixer->heads : mixer->kvHeads;
            }
            const std::string folder = pattern + "/" + std::string(preset.id);
            exportWithOutputs(folder, scenario);
            folders += " '" + folder + "'";
        }
    }
    const std::string command = "\"$FLOPSMITH_TORCH_PYTHON\" '" FLOPSMITH_SOURCE_DIR
                                "/tests/core/export/hugging_face/check_hub.py'"
        + folders;
    EXPECT_EQ(std::system(command.c_str()), 0) << command; // NOLINT(cert-env33-c)
    fs::remove_all(pattern);
}

} // namespace
} // namespace flopsmith
