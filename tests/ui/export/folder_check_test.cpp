// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/folder_check.h"

#include "tests/ui/export/fake_python.h"
#include "tests/ui/waiting.h"

#include <QTest>

namespace flopsmith::ui {
namespace {

using Kind = FolderVerdict::Kind;

class FolderCheckTest : public testing::Test
{
protected:
    FolderVerdict verdict(int longestMilliseconds = FolderCheck::kLongestMilliseconds)
    {
        FolderVerdict found;
        int reports = 0;
        const auto connection = QObject::connect(
            &check, &FolderCheck::finished, &check, [&](const FolderVerdict& each) {
                found = each;
                ++reports;
            });
        check.start(QStringLiteral("/some/where/check.py"), longestMilliseconds);
        EXPECT_TRUE(QTest::qWaitFor([&] { return reports > 0; }, test::kLong));
        EXPECT_FALSE(check.isRunning());
        EXPECT_EQ(reports, 1);
        QObject::disconnect(connection);
        return found;
    }

    test::FakePython python;
    FolderCheck check;
};

TEST_F(FolderCheckTest, SaysThatThereIsNoPython)
{
    const FolderVerdict found = verdict();
    EXPECT_EQ(found.kind, Kind::notRun);
    EXPECT_EQ(found.python, "");
    EXPECT_EQ(found.text, "there is no /nowhere/python");
}

TEST_F(FolderCheckTest, SaysThatPythonHasNoTorch)
{
    python.does("echo 'Traceback' >&2\n"
                "echo \"ModuleNotFoundError: No module named 'torch'\" >&2\nexit 1");
    EXPECT_EQ(verdict(),
              (FolderVerdict{Kind::notRun, python.path().toStdString(), "it has no torch"}));
}

TEST_F(FolderCheckTest, ShowsWhatTheScriptFoundEqual)
{
    python.does("echo \"$1: max 1e-15: equal\"; echo 'gradients: equal'");
    EXPECT_EQ(verdict(),
              (FolderVerdict{Kind::equal,
                             python.path().toStdString(),
                             "/some/where/check.py: max 1e-15: equal\n"
                             "gradients: equal"}));
}

TEST_F(FolderCheckTest, ShowsWhatTheScriptFoundDifferent)
{
    python.does("echo 'outputs: NOT EQUAL'; echo 'gradients: equal'; exit 1");
    const FolderVerdict found = verdict();
    EXPECT_EQ(found.kind, Kind::different);
    EXPECT_TRUE(found.text.starts_with("outputs: NOT EQUAL"));
}

TEST_F(FolderCheckTest, CallsNothingEqualThatWasNotCompared)
{
    python.does("exit 0");
    EXPECT_EQ(verdict().kind, Kind::notRun);
    python.does("echo 'outputs: equal'; echo 'MemoryError' >&2; exit 1");
    FolderVerdict found = verdict();
    EXPECT_EQ(found.kind, Kind::notRun);
    EXPECT_TRUE(found.text.find("MemoryError") != std::string::npos);
    python.does("echo 'outputs: equal'; kill -9 $$");
    found = verdict();
    EXPECT_EQ(found.kind, Kind::notRun);
    EXPECT_EQ(found.text, "the system ended the script");
}

TEST_F(FolderCheckTest, EndsAScriptThatDoesNotEnd)
{
    python.does("exec sleep 600");
    const FolderVerdict found = verdict(300);
    EXPECT_EQ(found.kind, Kind::notRun);
    EXPECT_TRUE(found.text.find("did not end") != std::string::npos);
}

TEST_F(FolderCheckTest, IsStoppedAtOnce)
{
    python.does("exec sleep 600");
    std::string text;
    QObject::connect(&check, &FolderCheck::finished, &check, [&text](const FolderVerdict& each) {
        text = each.text;
    });
    check.start(QStringLiteral("check.py"));
    ASSERT_TRUE(check.isRunning());
    check.stop();

    EXPECT_FALSE(check.isRunning());
    EXPECT_EQ(text, "it was stopped");
}

TEST_F(FolderCheckTest, KeepsTheEndOfEndlessOutput)
{
    python.does("head -c 1000000 /dev/zero | tr '\\0' x; echo ': equal'");
    const FolderVerdict found = verdict();
    EXPECT_EQ(found.kind, Kind::equal);
    EXPECT_LT(found.text.size(), 100'000);
}

} // namespace
} // namespace flopsmith::ui
