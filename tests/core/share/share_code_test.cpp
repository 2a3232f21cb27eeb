// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/share/share_code.h"

#include "core/json/json_text.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_lookup.h"
#include "core/share/deflate.h"
#include "core/share/design_text.h"
#include "core/share/envelope.h"
#include "tests/support/random_scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using testing::HasSubstr;

Scenario presetScenario(std::string_view id)
{
    return {*presetNamed(id), {}};
}

SharedDesign readShared(const std::string& code)
{
    const Result<SharedDesign> design = parsedShareCode(code);
    EXPECT_TRUE(design.ok()) << code << "\n" << (design.ok() ? "" : design.error().message);
    return design.ok() ? *design : SharedDesign{};
}

std::string whyNotShared(const std::string& code)
{
    const Result<SharedDesign> design = parsedShareCode(code);
    EXPECT_FALSE(design.ok()) << code;
    return design.ok() ? std::string() : design.error().message;
}

// A code of any text, as another version might make it.
std::string codeOfText(const std::string& text)
{
    return sealed({.bytes = deflated(text, {})}).value();
}

TEST(ShareCode, EveryPresetIsAFewLettersAndNamesItself)
{
    for (const Preset& preset : presets()) {
        const Project project{.scenario = {preset.make(), {}}, .lens = LensId::exact};

        const std::string code = shareCode(project).value();

        EXPECT_EQ(readShared(code).project, project) << preset.id;
        EXPECT_EQ(readShared(code).preset, preset.id);
        EXPECT_LT(code.size(), 150U) << preset.id;
    }
}

// Codes of a version in which presets had no precision of their own: in 32 bits, as they were made.
TEST(ShareCode, OfAnOlderVersionOpensAsItWas)
{
    const std::vector<std::pair<const char*, const char*>> old{
        {"gpt2",
         "FS1.BGdwdDLQstgANOMaLC7RUSrPL8rOyU9MAUkXZCQWp4Llk4H2AS1OSixJBjrQWEcpOT-"
         "vJLUCaJW5uXltLQAQjHkh"},
        {"llama-3-8b",
         "FS1.CmxsYW1hLTMtOGKe9uIANuMajYIBjgIdpfL8ouycfIh8QUZiMSjYU1KTgSENNCwpsSQZGDPGOkrJ-"
         "XklqRVAM83NzWtrAfZbZoM"},
        {"mixtral-8x7b",
         "FS1."
         "DG1peHRyYWwtOHg3YkFkCAA24xqNgYGNAR2l8vyi7Jx8iHxBRmIxKNRTUpOBwQw0LCmxJBkYMcY6Ssn5eSWpFUAzz"
         "c3Na2sBCGpwrg"},
        {"bert-base",
         "FS1.CWJlcnQtYmFzZX6nLwA04xoNVeqHqo5SeX5Rdk4-"
         "RLYgAxR6IJuSgaEHtCopsSQZGNjGQKfl55WkVgD9YW5uXlsLACpAWLM"},
        {"deepseek-v3",
         "FS1.C2RlZXBzZWVrLXYzaRL-ADfjGk1-"
         "o8lvwJKfjlJ5flF2Tj5EviAjsRjkm5TUZGAiAxqWlFiSnAFOIsn5eSWpFUAzzc3Na2sBLUuEvw"},
        {"gemma-2-2b",
         "FS1.CmdlbW1hLTItMmIrGBYAbu3ZMQ5AQBAF0N4x1DrFJm7D2kRCrKDQuLsVp5C8fvKbeTPNrzR_"
         "LsTPJIIIIogggggiiCCCCCKIIIIIIogggggiiCCCCCKI-H_zV0DkfV7yN7JN_fG2fWOKeUwlb-"
         "jPsoyubeqY1zNdJTaEcN8PgRH8-g"}};
    for (const auto& [preset, code] : old) {
        const SharedDesign design = readShared(code);
        const Scenario asked{*presetNamed(preset),
                             {.phase = Phase::decode, .batch = 3, .context = 777}};

        EXPECT_EQ(design.preset, preset);
        EXPECT_EQ(design.project.scenario.workload, asked.workload) << preset;
        EXPECT_EQ(digits(costTree(design.project.scenario).total().count.mac),
                  digits(costTree(asked).total().count.mac))
            << preset;
    }
}

TEST(ShareCode, WhatIsLockedForAClassTravelsAlong)
{
    Project project{.scenario = presetScenario("gpt2")};
    project.classLocks = {{.key = "heads", .kind = ClassLock::Kind::fixed, .sentence = "Later."},
                          {.key = "seq", .kind = ClassLock::Kind::bounded, .min = 1, .max = 4096},
                          {.key = "page:memory"}};
    EXPECT_EQ(readShared(shareCode(project).value()).project, project);
    project.unlocked = true;
    EXPECT_EQ(readShared(shareCode(project).value()).project, project);
}

TEST(ShareCode, ThreeChangesTakeAboutHundredLetters)
{
    Scenario scenario = presetScenario("gpt2");
    ASSERT_TRUE(setParameter(scenario, "d_model", "1024").ok());
    ASSERT_TRUE(setParameter(scenario, "heads", "16").ok());
    ASSERT_TRUE(setParameter(scenario, "d_ff", "4096").ok());

    const std::string code = shareCode({.scenario = scenario}).value();

    EXPECT_EQ(readShared(code).project.scenario, scenario);
    EXPECT_LE(code.size(), 110U) << code;
}

TEST(ShareCode, AnyDesignComesBack)
{
    EXPECT_TRUE(rc::check([] {
        Project project{.scenario = test::randomScenario()};
        project.lens = lenses()[*rc::gen::inRange<std::size_t>(0, lenses().size())].id;

        const Result<std::string> code = shareCode(project, "memory");

        RC_ASSERT(code.ok());
        const Result<SharedDesign> design = parsedShareCode(*code);
        RC_ASSERT(design.ok());
        RC_ASSERT(design->project == project);
        RC_ASSERT(design->page == "memory");
    }));
}

// So a field that a later version adds leaves the codes of today as they are.
TEST(ShareCode, DefaultsAreNotWritten)
{
    const std::string text = sharedText({.scenario = presetScenario("gpt2")});

    EXPECT_THAT(text, HasSubstr("\"d_model\":768"));
    EXPECT_THAT(text, testing::Not(HasSubstr("workload")));
    EXPECT_THAT(text, testing::Not(HasSubstr("vocab")));
    EXPECT_LT(2 * text.size(), sharedTextInFull({.scenario = presetScenario("gpt2")}).size());
}

TEST(ShareCode, TiesLocksPatternsAndMutedPartsTravelAlong)
{
    Project project{.scenario = presetScenario("gemma-2-2b")};
    Model& model = project.scenario.model;
    model.runs.front().block.mixerMuted = true;
    model.patterns = {{.firstRun = 2, .length = 2, .times = 12}};
    const Parameter width = *firstParameter(project.scenario, "d_model");
    ASSERT_TRUE(addLock(project.rules, project.scenario, placeOf(project.scenario, width)).ok());
    const Parameter inner = *firstParameter(project.scenario, "blocks[0].ffn.d_ff");
    ASSERT_TRUE(
        addTie(project.rules, project.scenario, placeOf(project.scenario, inner), "4*d_model")
            .ok());

    const SharedDesign design = readShared(shareCode(project, "share").value());

    EXPECT_EQ(design.project, project);
    EXPECT_EQ(design.project.rules.ties.size(), 1U);
    EXPECT_EQ(design.project.rules.locks.size(), 1U);
}

TEST(ShareCode, KeptKeysTravelAlong)
{
    std::string text = projectText({.scenario = presetScenario("gpt2")});
    text.insert(text.find("\"d_model\""), "\"author\": \"Ada\",\n    ");
    text.insert(text.find("\"heads\""), "\"echoes\": [1, 2],\n          ");
    const Project project = parsedProject(text, "x").value();
    ASSERT_EQ(project.kept.size(), 2U);

    EXPECT_EQ(readShared(shareCode(project).value()).project, project);
}

TEST(ShareCode, TheWindowsSectionStaysAtHome)
{
    const Project project{.scenario = presetScenario("gpt2"), .view = "{\"zoom\":2}"};

    EXPECT_EQ(readShared(shareCode(project).value()).project.view, "");
}

TEST(ShareCode, LinksBlanksAndLineBreaksAreNoObstacle)
{
    const std::string code = shareCode({.scenario = presetScenario("t5-small")}).value();
    std::string broken = "  " + shareLink(code) + "\r\n";
    broken.insert(30, "\r\n ");

    EXPECT_EQ(readShared(broken), readShared(code));
    EXPECT_TRUE(isShareCode(broken));
    EXPECT_TRUE(isShareCode("FS12.x"));
    for (const char* other : {"", "FS", "FS.", "FS1", "FSX.", "fs1.x", "gpt2", "{}", "F"}) {
        EXPECT_FALSE(isShareCode(other)) << other;
        EXPECT_THAT(whyNotShared(other), HasSubstr("begins with FS1."));
    }
}

TEST(ShareCode, UnknownAndChangedPresetsAreNamed)
{
    const Envelope gpt2 =
        openedEnvelope(shareCode({.scenario = presetScenario("gpt2")}).value()).value();
    Envelope unknown = gpt2;
    unknown.preset = "gpt9";
    Envelope changed = gpt2;
    changed.presetHash ^= 1U;

    EXPECT_THAT(whyNotShared(sealed(unknown).value()), HasSubstr("\"gpt9\", which this version"));
    EXPECT_THAT(whyNotShared(sealed(changed).value()), HasSubstr("\"gpt2\" of another version"));
}

TEST(ShareCode, WhatUnfoldsTooFarIsRefused)
{
    const std::string bomb = codeOfText(std::string(4 * kLongestSharedText, ' '));
    ASSERT_LT(bomb.size(), 4'000U);

    EXPECT_THAT(whyNotShared(bomb), HasSubstr(std::to_string(kLongestSharedText)));
}

TEST(ShareCode, ContentIsJudgedLikeThatOfAFile)
{
    EXPECT_THAT(whyNotShared(codeOfText("no line")), HasSubstr("holds no design"));
    EXPECT_THAT(whyNotShared(codeOfText(std::string(65, 'p') + "\n{}")), HasSubstr("no design"));
    EXPECT_THAT(whyNotShared(codeOfText("\n{")), HasSubstr("line 1"));
    EXPECT_THAT(whyNotShared(codeOfText("\n{\"flopsmith\":99}")), HasSubstr("newer Flopsmith"));
    Project project{.scenario = presetScenario("gpt2")};
    project.scenario.model.dModel = 769; // which 12 heads do not divide
    const std::string illegal = codeOfText("\n" + sharedText(project));
    EXPECT_FALSE(parsedShareCode(illegal).ok());
    const Result<SharedDesign> repaired = parsedShareCode(illegal, Illegal::repair);
    ASSERT_TRUE(repaired.ok());
    EXPECT_FALSE(repaired->notes.empty());
}

TEST(ShareCode, WhatCannotBeReadBackIsNotShared)
{
    Project illegal{.scenario = presetScenario("gpt2")};
    illegal.scenario.model.dModel = 769;
    EXPECT_FALSE(shareCode(illegal).ok());
    EXPECT_THAT(shareCode({.scenario = presetScenario("gpt2")}, "two\nlines").error().message,
                HasSubstr("no name of a page"));
    Project large{.scenario = presetScenario("gpt2")};
    large.scenario.model.name = std::string(300'000, 'x');
    EXPECT_THAT(shareCode(large).error().message, HasSubstr("save it as a file"));
}

} // namespace
} // namespace flopsmith
