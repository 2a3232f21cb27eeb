// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_folder.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, GoesWithAllThatIsInIt)
{
    std::string path;
    {
        const Result<TemporaryFolder> folder = TemporaryFolder::create("test");
        ASSERT_TRUE(folder) << folder.error().message;
        path = folder->path();
        fs::create_directories(path + "/below");
        std::ofstream(path + "/below/file") << "text";
        EXPECT_TRUE(fs::exists(path + "/below/file"));
    }

    EXPECT_THAT(path, testing::HasSubstr("flopsmith-test-"));
    EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, IsForThisUserAlone)
{
    const Result<TemporaryFolder> folder = TemporaryFolder::create("test");
    ASSERT_TRUE(folder) << folder.error().message;

    EXPECT_EQ(fs::status(folder->path()).permissions(), fs::perms::owner_all);
}

TEST(TemporaryFolder, StaysWhenItIsMoved)
{
    Result<TemporaryFolder> first = TemporaryFolder::create("test");
    ASSERT_TRUE(first) << first.error().message;
    const std::string path = first->path();
    std::optional<TemporaryFolder> second(std::move(*first));

    EXPECT_EQ(second->path(), path);
    EXPECT_TRUE(fs::is_directory(path));
    second.reset();
    EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, IsRefusedWhereNoneCanBe)
{
    const char* before = std::getenv("TMPDIR");
    const std::string kept = before == nullptr ? "" : before;
    ::setenv("TMPDIR", "/no/such/folder", 1);
    const Result<TemporaryFolder> folder = TemporaryFolder::create("test");
    if (before == nullptr) {
        ::unsetenv("TMPDIR");
    } else {
        ::setenv("TMPDIR", kept.c_str(), 1);
    }

    ASSERT_FALSE(folder);
    EXPECT_THAT(folder.error().message, testing::HasSubstr("no folder can be made there"));
}

} // namespace
} // namespace flopsmith
