// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_file.h"

#include "tests/core/base/text_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

TEST_F(TextFile, ReadsTextWithoutItsByteOrderMark)
{
    EXPECT_EQ(textOfFile(fileWith("a", "{\"a\": 1}\n")).value(), "{\"a\": 1}\n");
    EXPECT_EQ(textOfFile(fileWith("b", "\xEF\xBB\xBF{}")).value(), "{}");
}

TEST_F(TextFile, RefusesWhatIsNoText)
{
    const std::string utf16("\xFF\xFE{\0}\0", 6);

    EXPECT_THAT(textOfFile(fileWith("a", utf16)).error().message, HasSubstr("UTF-8"));
    EXPECT_THAT(textOfFile(fileWith("b", std::string("ELF\0\1", 5))).error().message,
                HasSubstr("not a text file"));
    EXPECT_THAT(textOfFile(m_folder.string()).error().message, HasSubstr("folder"));
    EXPECT_THAT(textOfFile(path("missing")).error().message,
                AllOf(HasSubstr("missing"), HasSubstr("cannot be read")));
}

TEST_F(TextFile, RefusesWhatIsTooLargeWithoutReadingAllOfIt)
{
    EXPECT_THAT(textOfFile(fileWith("a", std::string(kLargestTextFile + 1, ' '))).error().message,
                HasSubstr("16 MiB"));
    EXPECT_THAT(textOfFile("/dev/zero").error().message, HasSubstr("16 MiB"));
}

TEST_F(TextFile, WritesAndReplaces)
{
    ASSERT_TRUE(writeFile(path("a"), "one").ok());
    EXPECT_EQ(bytesOf(path("a")), "one");

    ASSERT_TRUE(writeFile(path("a"), "two").ok());
    EXPECT_EQ(bytesOf(path("a")), "two");
    EXPECT_EQ(files(), 1);
}

TEST_F(TextFile, KeepsTheRightsOfWhatItReplaces)
{
    fileWith("a", "one");
    fs::permissions(path("a"), fs::perms::owner_read | fs::perms::owner_write);

    ASSERT_TRUE(writeFile(path("a"), "two").ok());

    EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(TextFile, WritesThroughASymbolicLink)
{
    fileWith("target", "one");
    fs::create_symlink(path("target"), path("link"));

    ASSERT_TRUE(writeFile(path("link"), "two").ok());

    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(bytesOf(path("target")), "two");
}

TEST_F(TextFile, AFailureLeavesNothingBehind)
{
    EXPECT_THAT(writeFile(path("no/such/folder"), "x").error().message,
                AllOf(HasSubstr("no/such/folder"), HasSubstr("cannot be written")));
    EXPECT_THAT(writeFile(m_folder.string(), "x").error().message, HasSubstr("folder"));
    EXPECT_EQ(files(), 0);
}

TEST_F(TextFile, AFullDeviceIsAFailure)
{
    EXPECT_THAT(writeFile("/dev/full", "x").error().message, HasSubstr("cannot be written"));
}

TEST_F(TextFile, AppearsOnlyWhenItIsComplete)
{
    const std::string old = fileWith("a", "old");
    {
        Result<NewFile> file = NewFile::create(old);
        ASSERT_TRUE(file.ok());
        ASSERT_TRUE(file->append("new").ok());
        EXPECT_EQ(bytesOf(old), "old");
    }
    EXPECT_EQ(bytesOf(old), "old"); // given up
    EXPECT_EQ(files(), 1);

    Result<NewFile> file = NewFile::create(old);
    ASSERT_TRUE(file->append("ne").ok());
    ASSERT_TRUE(file->append("w").ok());
    ASSERT_TRUE(file->commit().ok());
    EXPECT_EQ(bytesOf(old), "new");
    EXPECT_EQ(files(), 1);
}

} // namespace
} // namespace flopsmith
