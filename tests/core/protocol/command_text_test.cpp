// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/device/command_text.h"

#include "core/base/random.h"
#include "core/protocol/process/worker_process.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using Words = std::vector<std::string>;

std::string randomWord(Random& random)
{
    constexpr std::string_view kLetters = "ab -'\"\\$`*|;\t#~{}()<>&!%=\xc3\xa9";
    std::string word;
    for (std::uint64_t length = (random.next() % 9); length > 0; --length) {
        word += kLetters[(random.next() % kLetters.size())];
    }
    return word;
}

TEST(CommandText, IsReadBackAsTheSameWords)
{
    Random random(7);
    for (int round = 0; round < 2000; ++round) {
        Words words;
        for (std::uint64_t count = (random.next() % 6); count > 0; --count) {
            words.push_back(randomWord(random));
        }
        const auto read = commandOf(commandText(words));
        ASSERT_TRUE(read.ok()) << commandText(words);
        EXPECT_EQ(*read, words) << commandText(words);
    }
}

// printf writes each of its words on a line, so a shell says what it takes the line for.
TEST(CommandText, IsWhatAShellReads)
{
    Random random(11);
    for (int round = 0; round < 20; ++round) {
        Words words{"x" + randomWord(random), randomWord(random), randomWord(random) + "y"};
        auto shell = WorkerProcess::start(
            {"/bin/sh",
             "-c",
             "for w in " + commandText(words) + "; do printf '%s\\n' \"[$w]\"; done"});
        ASSERT_TRUE(shell.ok());
        for (const std::string& word : words) {
            const WorkerProcess::Event event = shell->receive(Milliseconds(10'000));
            const auto* line = std::get_if<WorkerProcess::Line>(&event);
            ASSERT_NE(line, nullptr) << commandText(words);
            EXPECT_EQ(line->text, "[" + word + "]") << commandText(words);
        }
    }
}

TEST(CommandText, LeavesPlainWordsAsTheyAre)
{
    EXPECT_EQ(commandText({"ssh", "-p", "22", "me@gpu-box", "flopsmith-bench"}),
              "ssh -p 22 me@gpu-box flopsmith-bench");
    EXPECT_EQ(commandText({"run it", ""}), "'run it' ''");
}

TEST(CommandText, UnderstandsQuotesAsAShellDoes)
{
    EXPECT_EQ(*commandOf(R"(  ssh "gpu box"  'a "b" c'd\ e  "x\"y\z" )"),
              (Words{"ssh", "gpu box", "a \"b\" cd e", "x\"y\\z"}));
    EXPECT_EQ(*commandOf(""), Words{});
    EXPECT_EQ(*commandOf("''"), Words{""});
    EXPECT_EQ(*commandOf("echo $HOME | cat *"), (Words{"echo", "$HOME", "|", "cat", "*"}));
}

TEST(CommandText, SaysWhatIsNotClosed)
{
    EXPECT_EQ(commandOf("ssh 'gpu box").error().message,
              "the quote ' at character 5 of the command is not closed");
    EXPECT_NE(commandOf("ssh \\").error().message.find("backslash"), std::string::npos);
}

} // namespace
} // namespace flopsmith
