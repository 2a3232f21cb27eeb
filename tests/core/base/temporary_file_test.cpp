// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_file.h"

#include "tests/core/base/text_fixture.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;
using Kind = TemporaryFile::Kind;

class TemporaryFiles : public TextFile
{
protected:
    // Null where the file system has none of that kind.
    std::unique_ptr<TemporaryFile> madeWith(const std::string& text, Kind kind) const
    {
        auto file = TemporaryFile::create(path("a"), kind);
        if (file && !file->file().write(text)) {
            return nullptr;
        }
        return file;
    }

    static unsigned rightsOf(const TemporaryFile& file)
    {
        struct stat found = {};
        ::fstat(file.file().descriptor(), &found);
        return found.st_mode & 07777U;
    }

    void makeOld(const std::string& name) const
    {
        fs::last_write_time(path(name), fs::file_time_type::clock::now() - std::chrono::hours(1));
    }
};

class TemporaryKinds
    : public TemporaryFiles
    , public testing::WithParamInterface<Kind>
{
protected:
    std::unique_ptr<TemporaryFile> made(const std::string& text) const
    {
        return madeWith(text, GetParam());
    }
};

TEST_P(TemporaryKinds, TakesTheTargetsPlaceAsAWhole)
{
    for (const char* text : {"one", "two"}) { // new, and replacing
        const auto file = made(text);
        if (!file) {
            GTEST_SKIP() << "this file system has no nameless files";
        }
        ASSERT_TRUE(file->publish());
        EXPECT_EQ(bytesOf(path("a")), text);
        EXPECT_EQ(files(), 1);
    }
}

TEST_P(TemporaryKinds, IsGoneWithoutPublishing)
{
    fileWith("a", "old");

    made("new").reset();

    EXPECT_EQ(bytesOf(path("a")), "old");
    EXPECT_EQ(files(), 1);
}

TEST_P(TemporaryKinds, HasTheTargetsRightsBeforeItHasContent)
{
    fileWith("a", "secret");
    fs::permissions(path("a"), static_cast<fs::perms>(0600));

    const auto file = TemporaryFile::create(path("a"), GetParam());

    if (!file) {
        GTEST_SKIP() << "this file system has no nameless files";
    }
    EXPECT_EQ(rightsOf(*file), 0600U);
}

INSTANTIATE_TEST_SUITE_P(All,
                         TemporaryKinds,
                         testing::Values(Kind::nameless, Kind::named),
                         [](const auto& kind) {
                             return kind.param == Kind::nameless ? "nameless" : "named";
                         });

TEST_F(TemporaryFiles, WhatAKilledProgramLeftIsRemovedByTheNextOne)
{
    const pid_t killed = ::fork();
    if (killed == 0) {
        const auto file = madeWith("half", Kind::named);
        ::kill(::getpid(), SIGKILL);
    }
    ::waitpid(killed, nullptr, 0);
    ASSERT_EQ(files(), 1);
    makeOld(fs::directory_iterator(m_folder)->path().filename().string());
    fileWith(".flopsmith-notes", "somebody's");
    makeOld(".flopsmith-notes");

    madeWith("whole", Kind::named).reset();

    EXPECT_EQ(files(), 1);
    EXPECT_EQ(bytesOf(path(".flopsmith-notes")), "somebody's");
}

TEST_F(TemporaryFiles, WhatIsStillWrittenStays)
{
    const auto slow = madeWith("a", Kind::named);
    makeOld(fs::directory_iterator(m_folder)->path().filename().string());

    madeWith("b", Kind::named).reset();

    EXPECT_EQ(files(), 1);
    EXPECT_TRUE(slow->publish());
}

} // namespace
} // namespace flopsmith
