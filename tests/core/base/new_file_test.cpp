// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_file.h"
#include "tests/core/base/text_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class NewFiles : public TextFile
{};

// While it lives, no file of this program grows beyond so many bytes, as under a quota.
class FileSizeLimit
{
public:
    explicit FileSizeLimit(rlim_t bytes)
        : m_signal(std::signal(SIGXFSZ, SIG_IGN))
    {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit()
    {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_signal);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit m_before{};
    void (*m_signal)(int);
};

TEST_F(NewFiles, AFullDiskKeepsTheOldFile)
{
    const std::string old = fileWith("a", "old");
    Status written = Done{};
    {
        const FileSizeLimit limit(2);
        written = writeFile(old, "new content");
    }

    EXPECT_THAT(written.error().message, AllOf(HasSubstr(old), HasSubstr("cannot be written")));
    EXPECT_EQ(bytesOf(old), "old");
    EXPECT_EQ(files(), 1);
}

TEST_F(NewFiles, MayHaveTheLongestName)
{
    const std::string name = path(std::string(255, 'n'));

    ASSERT_TRUE(writeFile(name, "one").ok());
    ASSERT_TRUE(writeFile(name, "two").ok());

    EXPECT_EQ(bytesOf(name), "two");
    EXPECT_EQ(files(), 1);
    EXPECT_THAT(writeFile(name + "n", "x").error().message, HasSubstr("cannot be written"));
}

TEST_F(NewFiles, FollowALinkToWhatDoesNotExistYet)
{
    fs::create_directory(path("deep"));
    fs::create_symlink("deep/second", path("first"));
    fs::create_symlink("target", path("deep/second"));

    ASSERT_TRUE(writeFile(path("first"), "text").ok());

    EXPECT_TRUE(fs::is_symlink(path("first")));
    EXPECT_EQ(bytesOf(path("deep/target")), "text");
}

TEST_F(NewFiles, LinksInACircleAreRefused)
{
    fs::create_symlink("b", path("a"));
    fs::create_symlink("a", path("b"));

    EXPECT_THAT(writeFile(path("a"), "text").error().message,
                AllOf(HasSubstr(path("a")), HasSubstr("symbolic links")));
    EXPECT_TRUE(fs::is_symlink(path("a")));
    EXPECT_EQ(files(), 2);
}

TEST_F(NewFiles, HaveTheRightsThatTheUmaskLeaves)
{
    const mode_t before = ::umask(027);

    EXPECT_TRUE(writeFile(path("a"), "text").ok());

    ::umask(before);
    EXPECT_EQ(fs::status(path("a")).permissions(), static_cast<fs::perms>(0640));
}

TEST_F(NewFiles, AreWrittenInTheCurrentFolderByNameAlone)
{
    const fs::path before = fs::current_path();
    fs::current_path(m_folder);

    const Status written = writeFile("a", "text");

    fs::current_path(before);
    EXPECT_TRUE(written.ok());
    EXPECT_EQ(bytesOf(path("a")), "text");
}

} // namespace
} // namespace flopsmith
