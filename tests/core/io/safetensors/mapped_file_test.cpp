// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/safetensors/mapped_file.h"

#include "tests/core/base/text_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

namespace flopsmith {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class MappedFiles : public TextFile
{};

TEST_F(MappedFiles, HaveTheBytesAfterMovesAndWithoutTheirName)
{
    Result<MappedFile> mapped = MappedFile::open(fileWith("a", "abc"));
    ASSERT_TRUE(mapped.ok());

    MappedFile moved = std::move(mapped).value();
    std::filesystem::remove(path("a"));

    ASSERT_EQ(moved.bytes().size(), 3U);
    EXPECT_EQ(moved.bytes()[2], std::byte{'c'});
}

TEST_F(MappedFiles, MayBeEmpty)
{
    EXPECT_TRUE(MappedFile::open(fileWith("a", "")).value().bytes().empty());
}

TEST_F(MappedFiles, OthersAreRefused)
{
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);

    EXPECT_THAT(MappedFile::open(path("none")).error().message,
                AllOf(HasSubstr(path("none")), HasSubstr("cannot be read")));
    EXPECT_THAT(MappedFile::open(m_folder.string()).error().message, HasSubstr("a folder"));
    EXPECT_THAT(MappedFile::open(path("pipe")).error().message, HasSubstr("no regular file"));
}

} // namespace
} // namespace flopsmith
