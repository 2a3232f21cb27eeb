// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/torch/design_folder.h"

#include "core/base/text_file.h"
#include "core/export/torch/class_list.h"
#include "core/export/torch/tensors/expected_outputs.h"
#include "core/export/torch/tensors/stored_tensors.h"
#include "core/io/reading.h"
#include "core/io/safetensors/safetensors_folder.h"
#include "core/kernels/weights.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "core/run/model_run.h"
#include "tests/core/export/torch/python_check.h"
#include "tests/support/preset_case.h"
#include "tests/support/small_scenario.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace flopsmith::torch {
namespace {

namespace fs = std::filesystem;

class DesignFolderTest : public testing::Test
{
protected:
    void SetUp() override
    {
        std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
        std::replace(name.begin(), name.end(), '/', '_');
        m_place = fs::temp_directory_path()
            / (std::string("flopsmith_export_") + name + "_" + std::to_string(::getpid()));
        fs::create_directories(m_place);
    }
    void TearDown() override { fs::remove_all(m_place); }

    std::string folder(const std::string& name = "x") const { return (m_place / name).string(); }
    std::string file(const std::string& name) const { return folder() + "/" + name; }

    fs::path m_place;
};

std::string bytesOf(const std::string& path)
{
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

Project smallProject(std::string_view preset)
{
    Project project;
    project.scenario = test::smallPreset(preset);
    return project;
}

std::set<std::string> namesIn(const fs::path& folder)
{
    std::set<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        names.insert(entry.path().filename().string());
    }
    return names;
}

TEST_F(DesignFolderTest, HasTheModelItsTensorsAndItsCheck)
{
    const auto made = writeDesignFolder(folder(), smallProject("gpt2"), {});
    ASSERT_TRUE(made.ok()) << made.error().message;

    EXPECT_TRUE(made->expected && made->gradients);
    EXPECT_EQ(namesIn(folder()),
              (std::set<std::string>{"README.md",
                                     "check.py",
                                     "design.flopsmith",
                                     "expected.safetensors",
                                     "model.py",
                                     "model.safetensors"}));
    EXPECT_EQ(namesIn(m_place), std::set<std::string>{"x"});
}

TEST_F(DesignFolderTest, HasTheDesignAsItIs)
{
    Project project = smallProject("llama-3-8b");
    project.scenario.workload.sequence = 77;
    ASSERT_TRUE(writeDesignFolder(folder(), project, {}).ok());

    const auto text = bytesOf(file("design.flopsmith"));
    EXPECT_EQ(parsedProject(text, "design").value(), project);
}

TEST_F(DesignFolderTest, IsTheSameBytesEachTime)
{
    for (const char* name : {"x", "y"}) {
        ASSERT_TRUE(writeDesignFolder(folder(name), smallProject("mixtral-8x7b"), {}).ok());
    }
    for (const std::string& name : namesIn(folder())) {
        EXPECT_EQ(bytesOf(folder("x") + "/" + name), bytesOf(folder("y") + "/" + name)) << name;
    }
}

TEST_F(DesignFolderTest, LeavesAFolderThatExistsAsItIs)
{
    fs::create_directory(folder());
    const auto made = writeDesignFolder(folder(), smallProject("tiny"), {});

    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error().message,
              folder() + " exists; name a new folder, or --force to write into it");
    EXPECT_TRUE(fs::is_empty(folder()));
}

TEST_F(DesignFolderTest, WritesIntoAFolderIfItIsAllowedTo)
{
    fs::create_directory(folder());
    ASSERT_TRUE(writeFile(file("notes.txt"), "mine").ok());
    ASSERT_TRUE(writeDesignFolder(folder(), smallProject("tiny"), {.overwrite = true}).ok());

    EXPECT_EQ(bytesOf(file("notes.txt")), "mine");
    EXPECT_TRUE(fs::exists(file("model.py")));
}

// Neither a heading nor a link, markup, an escape of a terminal or a change of direction.
TEST_F(DesignFolderTest, ANameIsPlainTextInTheReadme)
{
    Project project = smallProject("gpt2");
    project.scenario.model.name =
        "a\n# b <img src=x> [c](javascript:d) `e` \x1B[31m \xE2\x80\xAE f";

    ASSERT_TRUE(writeDesignFolder(folder(), project, {.weights = false}).ok());

    const std::string readme = bytesOf(file("README.md"));
    EXPECT_EQ(readme.substr(0, readme.find('\n')),
              "# a \\# b \\<img src=x\\> \\[c\\](javascript:d) \\`e\\`  \\[31m   f");
}

TEST_F(DesignFolderTest, ReplacesALinkAndNotWhatItPointsTo)
{
    ASSERT_TRUE(writeFile((m_place / "precious").string(), "mine").ok());
    fs::create_directory(folder());
    fs::create_symlink(m_place / "precious", file("model.py"));
    ASSERT_TRUE(writeDesignFolder(folder(), smallProject("tiny"), {.overwrite = true}).ok());

    EXPECT_EQ(bytesOf((m_place / "precious").string()), "mine");
    EXPECT_FALSE(fs::is_symlink(file("model.py")));
    EXPECT_GT(bytesOf(file("model.py")).size(), 100U);
}

TEST_F(DesignFolderTest, SaysThatWhatAnInterruptedExportLeftMayGo)
{
    fs::create_directory(folder() + ".partial");
    const auto made = writeDesignFolder(folder(), smallProject("tiny"), {});

    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error().message,
              folder()
                  + ".partial is there, which an export leaves that was interrupted; remove "
                    "it, or name another folder");
}

// Python looks for a module beside the script that it runs first.
TEST_F(DesignFolderTest, ItsScriptsImportNothingElseThatIsBesideThem)
{
    if (!test::hasPython()) {
        GTEST_SKIP() << "there is no python3";
    }
    fs::create_directory(folder());
    for (const char* module : {"torch", "json", "struct", "pathlib", "importlib", "argparse"}) {
        ASSERT_TRUE(writeFile(file(std::string(module) + ".py"),
                              "open('" + folder("ran") + "', 'w')\nraise SystemExit(0)\n")
                        .ok());
    }
    ASSERT_TRUE(writeDesignFolder(folder(), smallProject("tiny"), {.overwrite = true}).ok());
    ASSERT_TRUE(
        writeFile(file("train.py"), std::string(templateAt("export/train.py").value_or(""))).ok());
    for (const char* script : {"check.py", "train.py"}) {
        const std::string command =
            "cd '" + folder() + "' && python3 " + script + " >/dev/null 2>&1";
        static_cast<void>(std::system(command.c_str())); // NOLINT(cert-env33-c)
        EXPECT_FALSE(fs::exists(folder("ran"))) << script;
    }
}

TEST_F(DesignFolderTest, LeavesNothingWhereItCannotBeMade)
{
    const auto made = writeDesignFolder(folder("none/x"), smallProject("tiny"), {});

    EXPECT_FALSE(made.ok());
    EXPECT_TRUE(fs::is_empty(m_place));
}

std::int64_t tensorBytes(const SafetensorsFolder& folder)
{
    std::uint64_t bytes = 0;
    for (const SafetensorsFile& file : folder.files()) {
        for (const SafetensorsTensor& tensor : file.tensors()) {
            bytes += tensor.end - tensor.begin;
        }
    }
    return static_cast<std::int64_t>(bytes);
}

TEST_F(DesignFolderTest, IsAsLargeAsItsPlanSays)
{
    for (const char* preset :
         {"gpt2", "t5-small", "vit-base-patch16-224", "gpt2-ultra-efficient-ffn"}) {
        const Project project = smallProject(preset);
        const auto planned = plannedDesignFolder(project.scenario, {});
        ASSERT_TRUE(planned.ok()) << planned.error().message;
        const auto made = writeDesignFolder(folder(preset), project, {});
        ASSERT_TRUE(made.ok()) << made.error().message;
        const auto model = SafetensorsFolder::open(folder(preset));
        const auto expected = SafetensorsFolder::open(folder(preset) + "/expected.safetensors");
        ASSERT_TRUE(model.ok() && expected.ok()) << preset;

        EXPECT_EQ(*made, *planned) << preset;
        EXPECT_EQ(tensorBytes(*model) + tensorBytes(*expected), planned->bytes) << preset;
        EXPECT_EQ(planned->memory, 16 * planned->parameters) << preset;
    }
}

TEST_F(DesignFolderTest, IsPlannedByTheSizeOfTheModel)
{
    const Scenario gpt2{presetNamed("gpt2").value(), {}};
    const DesignFolder planned = plannedDesignFolder(gpt2, {}).value();
    EXPECT_EQ(planned.parameters, 124'439'808);
    EXPECT_TRUE(planned.expected && !planned.gradients);
    EXPECT_GT(planned.bytes, 4 * planned.parameters);

    EXPECT_TRUE(plannedDesignFolder(gpt2, {.gradients = true}).value().gradients);
    EXPECT_EQ(plannedDesignFolder(gpt2, {.weights = false}).value(),
              DesignFolder{.parameters = planned.parameters});
}

TEST_F(DesignFolderTest, LeavesNothingWhereItIsStopped)
{
    std::stop_source stop;
    stop.request_stop();
    const auto made = writeDesignFolder(folder(), smallProject("tiny"), {.stop = stop.get_token()});

    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error().message, "stopped");
    EXPECT_TRUE(fs::is_empty(m_place));
}

TEST_F(DesignFolderTest, HasTheProgramAloneIfNoWeightsAreWanted)
{
    Project project;
    project.scenario.model = presetNamed("llama-3-8b").value();
    const auto made = writeDesignFolder(folder(), project, {.weights = false});
    ASSERT_TRUE(made.ok()) << made.error().message;

    EXPECT_EQ(made->parameters, 8'030'261'248);
    EXPECT_EQ(namesIn(folder()),
              (std::set<std::string>{"README.md", "design.flopsmith", "model.py"}));
}

TEST_F(DesignFolderTest, HasACheckThatPythonCompiles)
{
    if (!test::hasPython()) {
        GTEST_SKIP() << "python3 is not installed";
    }
    ASSERT_TRUE(writeDesignFolder(folder(), smallProject("tiny"), {}).ok());

    EXPECT_TRUE(test::compilesInPython({bytesOf(file("check.py"))}));
}

// Of every preset: the stored tensors, put back into the order of the plan, give the outputs and
// gradients that are stored beside them.
class ExportedPreset
    : public DesignFolderTest
    , public testing::WithParamInterface<Preset>
{};

TEST_P(ExportedPreset, StoresWhatTheReferenceRan)
{
    const Project project = smallProject(GetParam().id);
    const auto made = writeDesignFolder(folder(), project, {});
    ASSERT_TRUE(made.ok()) << made.error().message;
    const auto weights = SafetensorsFolder::open(folder());
    const auto expected = SafetensorsFolder::open(file("expected.safetensors"));
    ASSERT_TRUE(weights.ok() && expected.ok());

    const Scenario scenario = checkedScenario(project.scenario);
    const ModelPlan plan = planOf(scenario).value();
    const auto drawn = randomWeights<float>(plan.shapes(), 7);
    std::set<std::size_t> covered;
    const auto tensors = storedTensors(scenario.model, plan);
    ASSERT_TRUE(tensors.ok());
    for (const StoredTensor& tensor : *tensors) {
        const WeightShape& shape = plan.tensors[tensor.tensor].shape;
        EXPECT_TRUE(covered.insert(tensor.tensor).second) << tensor.name << " is stored twice";
        const auto stored = weights->readAs<float>(tensor.name);
        ASSERT_TRUE(stored.ok()) << stored.error().message;
        EXPECT_EQ(*stored, storedOrder(tensor, shape, drawn[tensor.tensor]));
        const auto gradients = expected->readAs<double>("gradients." + tensor.name);
        ASSERT_TRUE(gradients.ok()) << gradients.error().message;
        EXPECT_EQ(gradients->size(), static_cast<std::size_t>(shape.size()));
    }
    EXPECT_EQ(covered.size(), plan.tensors.size());

    const auto run = forward<double>(
        plan, randomWeights<double>(plan.shapes(), 7), randomInputs<double>(plan, 8));
    EXPECT_EQ(expected->readAs<double>("outputs").value(), run->outputs);
}

INSTANTIATE_TEST_SUITE_P(All, ExportedPreset, testing::ValuesIn(presets()), test::presetCase);

} // namespace
} // namespace flopsmith::torch
