// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_file.h"
#include "tests/core/base/text_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <thread>

namespace flopsmith {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Named pipes in place of files.
class PipeFile : public TextFile
{
protected:
    std::string pipe() const
    {
        EXPECT_EQ(::mkfifo(path("p").c_str(), 0600), 0);
        return path("p");
    }
};

TEST_F(PipeFile, WithoutAWriterIsRefused)
{
    const std::string name = pipe();

    EXPECT_THAT(textOfFile(name).error().message,
                AllOf(HasSubstr(name), HasSubstr("pipe, and nobody writes into it")));
}

TEST_F(PipeFile, IsReadToItsEnd)
{
    const std::string name = pipe();
    const std::string text(200'000, 'x'); // more than a pipe holds
    std::jthread writer([&] {
        const int file = ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
        for (std::size_t sent = 0; sent < text.size();) {
            sent += static_cast<std::size_t>(::write(file, text.data() + sent, text.size() - sent));
        }
        ::close(file);
    });

    EXPECT_EQ(textOfFile(name).value(), text);
}

TEST_F(PipeFile, ThatItsWriterLeavesEmptyIsRefused)
{
    const std::string name = pipe();
    std::jthread writer([&] { ::close(::open(name.c_str(), O_WRONLY | O_CLOEXEC)); });

    EXPECT_THAT(textOfFile(name).error().message, HasSubstr("nobody writes into it"));
}

TEST_F(PipeFile, WithoutAReaderIsRefused)
{
    const std::string name = pipe();

    EXPECT_THAT(writeFile(name, "text").error().message,
                AllOf(HasSubstr(name), HasSubstr("pipe, and nobody reads it")));
    EXPECT_EQ(files(), 1);
}

TEST_F(PipeFile, IsWrittenInPlaceForItsReader)
{
    const std::string name = pipe();
    const int reader = ::open(name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ASSERT_GE(reader, 0);

    ASSERT_TRUE(writeFile(name, "text").ok());

    std::array<char, 16> piece{};
    EXPECT_EQ(::read(reader, piece.data(), piece.size()), 4);
    ::close(reader);
    EXPECT_EQ(files(), 1);
}

} // namespace
} // namespace flopsmith
