// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/project/project_file.h"

#include "core/base/random.h"
#include "core/ffn/composed.h"
#include "core/ffn/polynomial.h"
#include "core/ffn/spectral.h"
#include "core/io/project/version.h"
#include "core/json/json_pointer.h"
#include "core/json/json_text.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"
#include "core/parameter/validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Project projectOf(std::string_view preset)
{
    return {.scenario = {*presetNamed(preset), {}}};
}

Json jsonOf(const Project& project)
{
    return ownJson(projectText(project));
}

std::string fileRefusal(const std::string& text)
{
    const Result<Project> project = parsedProject(text, "my.flopsmith");
    EXPECT_FALSE(project.ok()) << text;
    return project.ok() ? "" : project.error().message;
}

TEST(ProjectFile, EveryPresetSurvivesSavingAndOpening)
{
    for (const Preset& preset : presets()) {
        Project project = projectOf(preset.id);
        project.lens = LensId::matmul;
        project.scenario.workload = {.phase = Phase::decode, .batch = 3, .context = 77};
        repair(project.scenario); // a mixer without a cache is not decoded from
        project.view = R"({"zoom":1.5,"docks":["share","scaling"]})";

        const Result<Project> read = parsedProject(projectText(project), "x");

        ASSERT_TRUE(read.ok()) << preset.id << ": " << read.error().message;
        EXPECT_EQ(*read, project) << preset.id;
    }
}

// In the window a file opens with what is wrong with it and how it was repaired; headless it is
// refused.
TEST(ProjectFile, IllegalNumbersAreRepairedWithANoteEachOrRefused)
{
    Project project = projectOf("gpt2-ultra-efficient");
    auto& composed = get<ComposedFfn>(project.scenario.model.runs[0].block.ffn);
    get<SpectralFfn>(composed.stages[0].spec).kFreq = 900;
    get<PolynomialFfn>(composed.stages[1].spec).keepRatio = 1.5;
    const auto json = ownJson(projectText(project));
    std::vector<std::string> notes;

    EXPECT_FALSE(projectFromJson(json, "x").ok());
    const Result<Project> opened = projectFromJson(json, "x", Illegal::repair, &notes);

    ASSERT_TRUE(opened.ok()) << opened.error().message;
    EXPECT_TRUE(validated(opened->scenario).ok());
    ASSERT_EQ(notes.size(), 2U);
    EXPECT_EQ(notes[0].rfind("blocks[0].ffn.spectral.k_freq: 900 is not legal; legal is", 0), 0U)
        << notes[0];
    EXPECT_NE(notes[0].find("opened with 385"), std::string::npos) << notes[0];
    EXPECT_NE(notes[1].find("opened with 1."), std::string::npos) << notes[1];
}

TEST(ProjectFile, WhatNoNumberRepairsIsRefusedWithTheReason)
{
    Project project = projectOf("gpt2-ultra-efficient");
    get<ComposedFfn>(project.scenario.model.runs[0].block.ffn).stages.clear();
    std::vector<std::string> notes;

    const auto opened =
        projectFromJson(ownJson(projectText(project)), "x", Illegal::repair, &notes);

    ASSERT_FALSE(opened.ok());
    EXPECT_NE(opened.error().message.find("no stages"), std::string::npos);
    EXPECT_TRUE(notes.empty());
}

TEST(ProjectFile, RandomLegalModelsSurviveSavingAndOpening)
{
    Random random(7);
    for (int round = 0; round < 60; ++round) {
        Project project = projectOf("gpt2-half-swapped");
        for (int change = 0; change < 12; ++change) {
            const std::vector<Parameter> all = allParameters(project.scenario);
            const Parameter& one = all[static_cast<std::size_t>(
                random.integer(0, static_cast<std::int64_t>(all.size()) - 1))];
            const std::vector<FieldValue> stops = one.legal(project.scenario).stops();
            const auto pick = random.integer(0, static_cast<std::int64_t>(stops.size()) - 1);
            if (one.applies(project.scenario)) {
                setAndRepair(project.scenario, one, stops[static_cast<std::size_t>(pick)]);
            }
        }
        ASSERT_TRUE(validated(project.scenario).ok());

        const Result<Project> read = parsedProject(projectText(project), "x");

        ASSERT_TRUE(read.ok()) << read.error().message;
        EXPECT_EQ(*read, project);
    }
}

TEST(ProjectFile, SaysFormatAndProgram)
{
    const Json json = jsonOf(projectOf("tiny"));

    EXPECT_EQ(json["flopsmith"], 1);
    EXPECT_EQ(json["program"], std::string(programVersion()));
    EXPECT_FALSE(json.contains("view"));
}

// An older program would count a muted part, so it must not open the file.
TEST(ProjectFile, OnlyAFileWithMutedPartsHasTheSecondFormat)
{
    Project project = projectOf("gpt2-half-swapped");
    project.scenario.model.runs[1].block.ffnMuted = true;
    EXPECT_EQ(jsonOf(project)["flopsmith"], 2);

    const Result<Project> read = parsedProject(projectText(project), "x");
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(*read, project);

    project.scenario.model.runs[1].block.ffnMuted = false;
    EXPECT_EQ(jsonOf(project)["flopsmith"], 1);
}

TEST(ProjectFile, WorkloadAndLensMayBeMissing)
{
    Json json = jsonOf(projectOf("tiny"));
    json.erase("workload");
    json.erase("lens");
    json.erase("program");

    const Result<Project> read = parsedProject(jsonText(json), "x");

    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read->lens, LensId::exact);
    EXPECT_EQ(read->scenario.workload, Workload{});
}

TEST(ProjectFile, RefusesANewerFormat)
{
    Json json = jsonOf(projectOf("tiny"));
    json["flopsmith"] = 3;

    EXPECT_EQ(fileRefusal(jsonText(json)),
              "my.flopsmith: the file has format 3, this program reads up to 2; open it with a "
              "newer Flopsmith");
}

TEST(ProjectFile, RefusesWhatItDoesNotKnowWithThePlace)
{
    const auto changed = [](const char* pointer, const Json& value) {
        Json json = jsonOf(projectOf("tiny"));
        madeAt(json, pointer) = value;
        return jsonText(json);
    };

    EXPECT_THAT(fileRefusal(changed("/model/blocks/0/ffn/kind", "magic")),
                HasSubstr("model.blocks[0].ffn.kind"));
    EXPECT_THAT(fileRefusal(changed("/model/d_model", "wide")), HasSubstr("model.d_model"));
    EXPECT_THAT(fileRefusal(changed("/model/d_model", 1e30)), HasSubstr("model.d_model"));
    EXPECT_THAT(fileRefusal(changed("/model/d_model", 0)), HasSubstr("d_model"));
    EXPECT_THAT(fileRefusal(changed("/model/blocks/0/mixer/heads", 0)), HasSubstr("heads"));
    EXPECT_THAT(fileRefusal(changed("/model/blocks/0/mixer/heads", -4)), HasSubstr("heads"));
    EXPECT_THAT(fileRefusal(changed("/model/blocks/0/repeat", 0)), HasSubstr("repeat"));
    EXPECT_THAT(fileRefusal(changed("/model/blocks", Json::array())), HasSubstr("block"));
    EXPECT_THAT(fileRefusal(changed("/workload/batch", true)), HasSubstr("workload.batch"));
    EXPECT_THAT(fileRefusal(changed("/lens", "rosy")),
                AllOf(HasSubstr("rosy"), HasSubstr("matmul")));
    EXPECT_THAT(fileRefusal(changed("/lens", 3)), HasSubstr("lens"));
    for (const std::size_t length : {std::size_t{1025}, std::size_t{8'000'000}}) {
        EXPECT_THAT(fileRefusal(changed("/model/name", std::string(length, 'a'))),
                    AllOf(HasSubstr("model.name: expected a text of at most "),
                          HasSubstr("found " + std::to_string(length))));
    }
    EXPECT_THAT(fileRefusal(changed("/view", 3)), HasSubstr("view"));
    EXPECT_THAT(fileRefusal(changed("/program", 3)), HasSubstr("program"));
    EXPECT_THAT(fileRefusal(changed("/flopsmith", "one")), HasSubstr("flopsmith"));
    EXPECT_THAT(fileRefusal(changed("/flopsmith", 0)), HasSubstr("flopsmith"));
}

// What the window names, its files hold.
TEST(ProjectFile, ANameThatFitsIsOpened)
{
    for (const std::string& typed : {std::string(3, 'a'), std::string(1'000'000, 'b')}) {
        Project project = projectOf("tiny");
        project.scenario.model.name = fittingModelName(typed);
        EXPECT_EQ(typed.size() < 100, project.scenario.model.name == typed);
        EXPECT_TRUE(parsedProject(projectText(project), "my.flopsmith").ok());
    }
}

TEST(ProjectFile, RefusesTextThatIsNoProject)
{
    EXPECT_THAT(fileRefusal(""), HasSubstr("my.flopsmith"));
    EXPECT_THAT(fileRefusal("{\"flopsmith\": 1,}"), HasSubstr("line 1"));
    EXPECT_THAT(fileRefusal("[]"), HasSubstr("no Flopsmith file"));
    EXPECT_THAT(fileRefusal("{}"), HasSubstr("no Flopsmith file"));
    EXPECT_THAT(fileRefusal("{\"flopsmith\": 1}"), HasSubstr("model: missing"));
    EXPECT_THAT(fileRefusal("{\"flopsmith\": 1, \"flopsmith\": 1}"), HasSubstr("twice"));
    EXPECT_THAT(fileRefusal(std::string(100'000, '[')), HasSubstr("my.flopsmith"));
}

// Cutting a good file anywhere must give a sentence, never a crash or half a model.
TEST(ProjectFile, NoPrefixOfAFileIsAFile)
{
    const std::string text = projectText(projectOf("gpt2-half-swapped"));
    for (std::size_t length = 0; length + 2 < text.size(); length += 37) {
        EXPECT_FALSE(parsedProject(std::string_view(text).substr(0, length), "x").ok()) << length;
    }
}

} // namespace
} // namespace flopsmith
