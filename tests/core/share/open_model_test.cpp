// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/share/open_model.h"

#include "core/model/presets.h"
#include "core/share/share_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <utility>

namespace flopsmith {
namespace {

TEST(OpenModel, TakesPresetsAndCodesAlike)
{
    const Project project{.scenario = {*presetNamed("tiny"), {.sequence = 8}}};
    const std::string code = shareCode(project).value();

    for (const std::string& name : {code, shareLink(code)}) {
        const Result<Loaded> loaded = openedModel(name);
        ASSERT_TRUE(loaded.ok()) << name;
        EXPECT_EQ(loaded->project, project);
        EXPECT_EQ(loaded->from, LoadedFrom::shareCode);
        EXPECT_TRUE(loaded->isWhole());
    }
    EXPECT_EQ(openedModel("tiny").value().from, LoadedFrom::preset);
    EXPECT_FALSE(openedModel("tiny").value().isWhole());
    EXPECT_FALSE(openedModel("FS1.").ok());
    EXPECT_THAT(openedModel("gtp2").error().message, testing::HasSubstr("gpt2"));
}

TEST(OpenModel, KnowsTheKindOfAFileByItsSuffixInEitherCase)
{
    struct Row
    {
        const char* name;
        NamedKind kind;
    };
    for (const Row& row : {Row{"gpt2", NamedKind::model},
                           Row{"a/config.json", NamedKind::model},
                           Row{"mine.flopsmith", NamedKind::model},
                           Row{"mine.flopsmith-lesson", NamedKind::lesson},
                           Row{"MINE.FLOPSMITH-LESSON", NamedKind::lesson},
                           Row{"a.flopsmith-lesson/config.json", NamedKind::model},
                           Row{".flopsmith-exercise", NamedKind::exercise},
                           Row{"Mine.Flopsmith-Answer", NamedKind::answer},
                           Row{"text.flopsmith-lab", NamedKind::lab},
                           Row{"text.JSONL", NamedKind::lab},
                           Row{"jsonl", NamedKind::model},
                           Row{"", NamedKind::model},
                           Row{"FS1.abc", NamedKind::shareCode},
                           Row{"flopsmith:FS1.abc", NamedKind::shareCode},
                           Row{" \n{\"model_type\": \"gpt2\"}", NamedKind::text}}) {
        EXPECT_EQ(namedKind(row.name), row.kind) << row.name;
    }
}

TEST(OpenModel, TakesTheTextOfAFile)
{
    const Project project{.scenario = {*presetNamed("tiny"), {.sequence = 8}}};

    EXPECT_EQ(openedModel(projectText(project)).value().project, project);
    EXPECT_THAT(openedModel("{\"recipe\": 1}").error().message, testing::StartsWith("the text: "));
}

TEST(OpenModel, SaysWhatAFileOfAnotherKindIs)
{
    const auto folder = std::filesystem::path(testing::TempDir()) / "kinds";
    std::filesystem::create_directories(folder);
    for (const auto& [name, says] : {std::pair("a.flopsmith-lesson", "a lesson, which is no model"),
                                     std::pair("a.flopsmith-exercise", "an exercise, which"),
                                     std::pair("a.flopsmith-answer", "the answer to an exercise"),
                                     std::pair("a.flopsmith-lab", "a lab or its log, which"),
                                     std::pair("a.jsonl", "a lab or its log, which")}) {
        const std::string path = (folder / name).string();
        EXPECT_THAT(openedModel(path).error().message, testing::HasSubstr("no such file")) << name;
        std::ofstream(path) << "{}";
        EXPECT_THAT(openedModel(path).error().message, testing::StartsWith(path + ": " + says));
    }
    std::filesystem::remove_all(folder);
}

TEST(OpenModel, APastedNameLosesWhatStandsAroundIt)
{
    EXPECT_EQ(pastedName("  gpt2 \n"), "gpt2");
    EXPECT_EQ(pastedName("\"/a b/config.json\""), "/a b/config.json");
    EXPECT_EQ(pastedName("file:///a%20b/100%.json"), "/a b/100%.json");
    EXPECT_EQ(pastedName("\""), "\"");
    EXPECT_EQ(pastedName(" \t"), "");
    EXPECT_EQ(pastedName("{\"a\": 1}\n"), "{\"a\": 1}");
}

TEST(OpenModel, MessagesShortenCodesAlone)
{
    EXPECT_EQ(modelText("models/a-file-with-a-rather-long-name.flopsmith"),
              "models/a-file-with-a-rather-long-name.flopsmith");
    EXPECT_LT(modelText("FS1." + std::string(1000, 'x')).size(), 40U);
}

} // namespace
} // namespace flopsmith
