// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/tables/python_worker.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

// A shell stands in for Python and ignores -B.
namespace flopsmith::bench {
namespace {

namespace fs = std::filesystem;

class AskedScript : public testing::Test
{
protected:
    AskedScript()
        : m_scripts(TemporaryFolder::create("test"))
    {}

    Result<PythonWorker> worker(const std::string& text) const
    {
        const std::string interpreter = m_scripts->path() + "/python";
        std::ofstream(interpreter) << "#!/bin/sh\nshift\nexec sh \"$@\"\n";
        fs::permissions(interpreter, fs::perms::owner_all);
        const std::string script = m_scripts->path() + "/asked.py";
        std::ofstream(script) << text;
        return PythonWorker::start(interpreter, script);
    }

    Result<Json> answer(const std::string& text) const
    {
        Result<PythonWorker> started = worker(text);
        return started ? started->ask({{"do", "hello"}}) : started.error();
    }

private:
    Result<TemporaryFolder> m_scripts;
};

TEST_F(AskedScript, ReadsARequestAndAnswers)
{
    const auto answered = answer("read line; printf '{\"asked\": %s}\\n' \"$line\"; cat");

    ASSERT_TRUE(answered) << answered.error().message;
    EXPECT_EQ((*answered)["asked"]["do"], "hello");
}

TEST_F(AskedScript, FailsWithItsOwnSentence)
{
    const auto answered = answer("read line; echo '{\"error\": \"no such part\"}'; cat");

    ASSERT_FALSE(answered);
    EXPECT_EQ(answered.error().message, "no such part");
}

TEST_F(AskedScript, IsNamedWhenItSaysWhatIsNoAnswer)
{
    const auto answered = answer("read line; echo hello; cat");

    ASSERT_FALSE(answered);
    EXPECT_EQ(answered.error().message, "asked.py said \"hello\"");
}

TEST_F(AskedScript, IsAnErrorWhenItEnds)
{
    const auto answered = answer("read line; echo 'no torch' >&2; exit 1");

    ASSERT_FALSE(answered);
    EXPECT_THAT(answered.error().message, testing::HasSubstr("no torch"));
}

TEST_F(AskedScript, HasAFolderUntilItGoes)
{
    std::string folder;
    {
        const Result<PythonWorker> started = worker("cat");
        ASSERT_TRUE(started) << started.error().message;
        folder = started->folder();
        EXPECT_TRUE(fs::is_directory(folder));
    }

    EXPECT_FALSE(fs::exists(folder));
}

} // namespace
} // namespace flopsmith::bench
