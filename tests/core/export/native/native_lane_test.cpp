// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/imported_folder.h"
#include "core/export/torch/tensors/stored_weights.h"
#include "core/io/reading.h"
#include "core/io/safetensors/safetensors_folder.h"
#include "core/run/model_run.h"
#include "tests/support/torch_lane.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

// Tiny models that the transformers library makes, imported and run: `./dev test torch`.
namespace flopsmith {
namespace {

namespace fs = std::filesystem;

template <class S>
std::vector<double> logitsOf(const std::string& folder, const std::vector<int>& tokens)
{
    const auto loaded = loadModel(folder + "/design.flopsmith", Illegal::refuse);
    const auto file = SafetensorsFolder::open(folder);
    if (!loaded.ok() || !file.ok()) {
        ADD_FAILURE() << (loaded.ok() ? file.error().message : loaded.error().message);
        return {};
    }
    Scenario scenario = loaded->project.scenario;
    scenario.workload = {};
    scenario.workload.phase = Phase::prefill;
    scenario.workload.batch = 1;
    scenario.workload.sequence = static_cast<int>(tokens.size());
    const auto plan = planOf(scenario);
    if (!plan.ok()) {
        ADD_FAILURE() << plan.error().message;
        return {};
    }
    const auto weights = torch::readStoredWeights<S>(*file, scenario.model, *plan);
    if (!weights.ok()) {
        ADD_FAILURE() << weights.error().message;
        return {};
    }
    ModelInputs<S> inputs;
    inputs.tokens = tokens;
    const auto run = forward<S>(*plan, *weights, inputs);
    if (!run.ok()) {
        ADD_FAILURE() << run.error().message;
        return {};
    }
    return {run->outputs.begin(), run->outputs.end()};
}

void expectLogits(const fs::path& native, bool isDouble)
{
    const std::string made = native.string() + "-design";
    const auto imported = importFolder(native.string(), made, {.weights = true});
    ASSERT_TRUE(imported.ok()) << imported.error().message;
    ASSERT_TRUE(imported->problems.empty()) << imported->problems.front();

    const auto expected = SafetensorsFile::open((native / "expected.safetensors").string());
    ASSERT_TRUE(expected.ok()) << expected.error().message;
    const auto tokens = expected->readAs<std::int64_t>("tokens");
    const auto logits = expected->readAs<double>("logits");
    ASSERT_TRUE(tokens.ok() && logits.ok());
    const std::vector<int> numbers(tokens->begin(), tokens->end());
    const std::vector<double> found =
        isDouble ? logitsOf<double>(made, numbers) : logitsOf<float>(made, numbers);

    ASSERT_EQ(found.size(), logits->size());
    double largest = 0.0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        largest = std::max(largest, std::abs(found[i] - (*logits)[i]));
    }
    EXPECT_LE(largest, isDouble ? 1e-9 : 1e-4);
}

class TorchLaneOfCheckpoints : public test::BesideTorchTest
{};

TEST_F(TorchLaneOfCheckpoints, LogitsAreThoseOfTheLibrary)
{
    if (!pythonRuns("-c 'import transformers' 2>/dev/null")) {
        GTEST_SKIP() << "that Python has no transformers: ./dev test torch";
    }
    ASSERT_TRUE(
        scriptRuns("core/export/native/make_checkpoints.py", "'" + folder().string() + "'"));
    std::vector<fs::path> made;
    for (const auto& entry : fs::directory_iterator(folder())) {
        made.push_back(entry.path());
    }
    std::sort(made.begin(), made.end());

    EXPECT_FALSE(made.empty());
    for (const fs::path& each : made) {
        SCOPED_TRACE(each.filename());
        expectLogits(each, each.filename().string().ends_with("float64"));
    }
}

} // namespace
} // namespace flopsmith
