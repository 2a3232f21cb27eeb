// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/torch/design_folder.h"
#include "core/export/torch/expected_outputs.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"
#include "core/parameter/validation.h"
#include "tests/support/drawn_values.h"
#include "tests/support/random_scenario.h"
#include "tests/support/small_scenario.h"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

// Exported designs run by PyTorch: `./dev test torch` installs it and names the Python that has it.
namespace flopsmith::torch {
namespace {

namespace fs = std::filesystem;

constexpr int kMostMacs = 3'000'000; // of one forward pass

class TorchLane : public testing::Test
{
protected:
    void SetUp() override
    {
        if (std::getenv("FLOPSMITH_TORCH_PYTHON") == nullptr) {
            GTEST_SKIP() << "FLOPSMITH_TORCH_PYTHON names no Python with PyTorch: ./dev test torch";
        }
        m_folder = fs::temp_directory_path()
            / ("flopsmith-torch-"
               + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + "-"
               + std::to_string(::getpid()));
        fs::remove_all(m_folder);
        fs::create_directories(m_folder);
    }
    void TearDown() override
    {
        if (!m_folder.empty() && !HasFailure()) {
            fs::remove_all(m_folder);
        }
    }

    // Whether the design could be written: one without an executable plan is not.
    bool writes(const Scenario& scenario)
    {
        Project project;
        project.scenario = scenario;
        const std::string folder = (m_folder / std::to_string(m_count)).string();
        const auto made = writeDesignFolder(folder, project, {});
        m_count += made.ok() ? 1 : 0;
        return made.ok();
    }

    static bool isSmall(const Scenario& scenario)
    {
        return costTree(checkedScenario(scenario)).total().count.mac < kMostMacs;
    }

    void expectAllEqual() const
    {
        const std::string command = "\"$FLOPSMITH_TORCH_PYTHON\" '" FLOPSMITH_SOURCE_DIR
                                    "/tests/core/export/torch/check_folders.py' '"
            + m_folder.string() + "'";
        EXPECT_EQ(std::system(command.c_str()), 0) // NOLINT(cert-env33-c)
            << "the designs are left in " << m_folder;
    }

    fs::path m_folder;
    int m_count = 0;
};

TEST_F(TorchLane, EveryPresetIsEqual)
{
    for (const Preset& preset : presets()) {
        EXPECT_TRUE(writes(test::smallPreset(preset.id))) << preset.id;
    }
    expectAllEqual();
}

TEST_F(TorchLane, EveryPresetIsEqualWithOtherValues)
{
    for (std::uint64_t seed = 1; seed <= 4; ++seed) { // all kinds of angles
        for (const Preset& preset : presets()) {
            Scenario scenario = test::smallPreset(preset.id);
            scenario.model = test::DrawnValues(seed).of(scenario.model);
            EXPECT_TRUE(writes(scenario)) << preset.id;
        }
    }
    expectAllEqual();
}

TEST_F(TorchLane, DesignsOfAnyStructureAreEqual)
{
    EXPECT_TRUE(rc::check("written", [this] {
        Scenario scenario = test::randomScenario();
        scenario.workload.phase = Phase::prefill;
        scenario = test::small(scenario);
        RC_PRE(validated(scenario).ok() && isSmall(scenario));
        RC_PRE(writes(scenario));
    }));
    expectAllEqual();
}

TEST_F(TorchLane, PresetsWithOtherNumbersAreEqual)
{
    EXPECT_TRUE(rc::check("written", [this] {
        const auto preset = *rc::gen::inRange<std::size_t>(0, presets().size());
        Scenario scenario = test::smallPreset(presets()[preset].id);
        for (const Parameter& parameter : allParameters(scenario)) {
            if (parameter.key == "layers" || !parameter.applies(scenario)
                || *rc::gen::inRange(0, 4) > 0) {
                continue;
            }
            const auto stops = parameter.legal(scenario).stops();
            setAndRepair(
                scenario, parameter, stops[*rc::gen::inRange<std::size_t>(0, stops.size())]);
        }
        scenario.workload.phase = Phase::prefill;
        scenario = test::small(scenario);
        RC_PRE(validated(scenario).ok() && isSmall(scenario));
        RC_PRE(writes(scenario));
    }));
    expectAllEqual();
}

} // namespace
} // namespace flopsmith::torch
