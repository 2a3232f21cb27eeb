// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/journal/journal_file.h"

#include "core/base/check.h"
#include "tests/core/io/journal/entries.h"
#include "tests/support/file_size_limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;
using test::entryAt;
using test::linesOf;
using testing::HasSubstr;

class JournalFileTest : public testing::Test
{
protected:
    JournalFileTest()
    {
        std::string name = (fs::temp_directory_path() / "flopsmith-journal-XXXXXX").string();
        FLOPSMITH_CHECK(mkdtemp(name.data()) != nullptr);
        top = name;
        folder = top / "flopsmith" / "journal";
    }
    ~JournalFileTest() override { fs::remove_all(top); }

    // As a crash leaves it: written, and held by nobody.
    fs::path abandon(const std::string& lines) const
    {
        const Result<JournalFile> file = JournalFile::create(folder, lines);
        FLOPSMITH_CHECK(file.ok());
        return file->path();
    }

    fs::path top;
    fs::path folder;
};

TEST_F(JournalFileTest, HoldsWhatIsAppended)
{
    Result<JournalFile> file = JournalFile::create(folder, linesOf({0}));
    ASSERT_TRUE(file.ok()) << file.error().message;

    ASSERT_TRUE(file->append(linesOf({1, 2})).ok());

    EXPECT_EQ(*file->text(), linesOf({0, 1, 2}));
    EXPECT_EQ(file->size(), linesOf({0, 1, 2}).size());
}

TEST_F(JournalFileTest, IsForItsOwnerAlone)
{
    const fs::path path = abandon(linesOf({0}));
    struct stat status = {};

    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
    ASSERT_EQ(::stat(folder.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0700U);
}

TEST_F(JournalFileTest, OfALivingWindowIsNotAbandoned)
{
    Result<JournalFile> alive = JournalFile::create(folder, linesOf({0, 1}));
    const fs::path left = abandon(linesOf({0, 1, 2}));

    const std::vector<AbandonedJournal> found = abandonedJournals(folder);

    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().file.path(), left);
    EXPECT_EQ(found.front().history->last(), entryAt(2));
    EXPECT_TRUE(abandonedJournals(folder).empty()); // the first look holds it
}

TEST_F(JournalFileTest, OfAKilledProcessIsAbandoned)
{
    std::array<int, 2> ready{};
    ASSERT_EQ(::pipe(ready.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const Result<JournalFile> file = JournalFile::create(folder, linesOf({0, 1}));
        [[maybe_unused]] const auto told = ::write(ready[1], file.ok() ? "1" : "0", 1);
        ::pause();
        ::_exit(1);
    }
    char made = '0';
    ASSERT_EQ(::read(ready[0], &made, 1), 1);
    ASSERT_EQ(made, '1');
    EXPECT_TRUE(abandonedJournals(folder).empty());

    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);

    EXPECT_EQ(abandonedJournals(folder).size(), 1U);
    ::close(ready[0]);
    ::close(ready[1]);
}

TEST_F(JournalFileTest, TheLockOutlivesAnExchange)
{
    Result<JournalFile> file = JournalFile::create(folder, linesOf({0, 1, 2}));

    ASSERT_TRUE(file->replace(linesOf({2})).ok());
    ASSERT_TRUE(file->append(linesOf({3})).ok());

    EXPECT_EQ(*file->text(), linesOf({2, 3}));
    EXPECT_TRUE(abandonedJournals(folder).empty());
}

TEST_F(JournalFileTest, NewestComesFirstAndADamagedOneSaysSo)
{
    abandon(linesOf({0, 1}));
    abandon(linesOf({0, 5}));
    abandon("no journal\n");

    const std::vector<AbandonedJournal> found = abandonedJournals(folder);

    ASSERT_EQ(found.size(), 3U);
    EXPECT_FALSE(found[0].history.ok()); // written now
    EXPECT_EQ(found[1].history->last().position, 5);
    EXPECT_EQ(found[2].history->last().position, 1);
}

TEST_F(JournalFileTest, NoMoreThanTheLimitAreKept)
{
    for (std::size_t i = 0; i < kMaxJournals + 5; ++i) {
        abandon(linesOf({0, static_cast<int>(i)}));
    }

    EXPECT_EQ(abandonedJournals(folder).size(), kMaxJournals);
}

TEST_F(JournalFileTest, AFullDiskLeavesTheLinesBefore)
{
    Result<JournalFile> file = JournalFile::create(folder, linesOf({0}));
    {
        const test::FileSizeLimit full(linesOf({0}).size() + 100);
        const Status appended = file->append(linesOf({1}));

        ASSERT_FALSE(appended.ok());
        EXPECT_THAT(appended.error().message, HasSubstr("cannot be written"));
        EXPECT_FALSE(JournalFile::create(folder, linesOf({0, 1, 2})).ok());
    }
    EXPECT_EQ(*file->text(), linesOf({0}));

    EXPECT_TRUE(file->append(linesOf({2})).ok());
    EXPECT_EQ(*file->text(), linesOf({0, 2}));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
}

TEST_F(JournalFileTest, AFolderThatCannotBeIsOneSentence)
{
    std::ofstream(top / "file") << "not a folder";

    const Result<JournalFile> file = JournalFile::create(top / "file" / "journal", linesOf({0}));

    ASSERT_FALSE(file.ok());
    EXPECT_THAT(file.error().message, HasSubstr("cannot be made"));
    EXPECT_FALSE(JournalFile::create({}, linesOf({0})).ok());
    EXPECT_TRUE(abandonedJournals(top / "nowhere").empty());
}

/// A variable of the environment while it lives; nullptr: not set.
class Setting
{
public:
    Setting(const char* name, const char* value)
        : m_name(name)
    {
        if (const char* before = std::getenv(name); before != nullptr) {
            m_before = before;
        }
        assign(value);
    }
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;
    ~Setting() { assign(m_before ? m_before->c_str() : nullptr); }

private:
    void assign(const char* value) const
    {
        if (value == nullptr) {
            ::unsetenv(m_name);
        } else {
            ::setenv(m_name, value, 1);
        }
    }

    const char* m_name;
    std::optional<std::string> m_before;
};

TEST(JournalFolder, IsAbsoluteAndInTheStateFolder)
{
    const Setting home("HOME", "/home/ada");
    {
        const Setting state("XDG_STATE_HOME", "/state");
        EXPECT_EQ(journalFolder(), "/state/flopsmith/journal");
    }
    for (const char* none : {static_cast<const char*>(nullptr), "", "relative"}) {
        const Setting state("XDG_STATE_HOME", none);
        EXPECT_EQ(journalFolder(), "/home/ada/.local/state/flopsmith/journal");
        const Setting nowhere("HOME", none);
        EXPECT_EQ(journalFolder(), "");
    }
}

} // namespace
} // namespace flopsmith
