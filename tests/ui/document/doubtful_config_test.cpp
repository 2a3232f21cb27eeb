// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/reading.h"
#include "tests/ui/document/scenarios.h"
#include "ui/document/document.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QTemporaryDir>

namespace flopsmith::ui {
namespace {

// The window has no --assume: a config with a size in doubt is refused in the commands' words, and
// the document stays as it is.
TEST(DoubtfulConfig, IsRefusedInTheWordsOfTheCommands)
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("config.json");
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(R"({"model_type": "qwen3_moe", "moe_expert_count": 6})");
    file.close();
    Document document(test::halfSwapped());
    const Scenario before = document.scenario();

    const Result<QStringList> opened = document.file().open(path);

    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().message, loadModel(path.toStdString()).error().message);
    EXPECT_NE(opened.error().message.find("num_experts: missing, while moe_expert_count: 6"),
              std::string::npos);
    EXPECT_EQ(document.scenario(), before);
}

} // namespace
} // namespace flopsmith::ui
