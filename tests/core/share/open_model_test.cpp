// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/share/open_model.h"

#include "core/model/presets.h"
#include "core/share/share_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
                           Row{"flopsmith:FS1.abc", NamedKind::shareCode}}) {
        EXPECT_EQ(namedKind(row.name), row.kind) << row.name;
    }
}

TEST(OpenModel, MessagesShortenCodesAlone)
{
    EXPECT_EQ(modelText("models/a-file-with-a-rather-long-name.flopsmith"),
              "models/a-file-with-a-rather-long-name.flopsmith");
    EXPECT_LT(modelText("FS1." + std::string(1000, 'x')).size(), 40U);
}

} // namespace
} // namespace flopsmith
