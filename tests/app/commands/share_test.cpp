// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/commands/command_test.h"

#include <gmock/gmock.h>

namespace flopsmith {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kWider = "gpt2 --set d_model=1024 --set heads=16";

std::string withoutLineEnd(std::string text)
{
    if (!text.empty() && text.back() == '\n') {
        text.pop_back();
    }
    return text;
}

class ShareCommand : public Commands
{
protected:
    std::string codeOf(const std::string& arguments) const
    {
        const Answer answer = ask("share " + arguments);
        EXPECT_EQ(answer.code, 0) << answer.error;
        EXPECT_EQ(std::count(answer.out.begin(), answer.out.end(), '\n'), 1) << answer.out;
        return withoutLineEnd(answer.out);
    }
};

TEST_F(ShareCommand, ACodeCostsWhatItsFlagsCost)
{
    const std::string code = codeOf(kWider);

    EXPECT_THAT(code, StartsWith("FS1."));
    EXPECT_LE(code.size(), 110U);
    EXPECT_EQ(ask("cost " + code + " --format json").out,
              ask("cost " + std::string(kWider) + " --format json").out);
    EXPECT_EQ(ask("cost flopsmith:" + code).out, ask("cost " + std::string(kWider)).out);
}

TEST_F(ShareCommand, WorkloadAndLensTravelAlong)
{
    const std::string flags = "tiny --seq 64 --batch 3 --lens matmul";

    EXPECT_EQ(ask("cost " + codeOf(flags)).out, ask("cost " + flags).out);
    EXPECT_EQ(ask("share " + codeOf(flags)).out, codeOf(flags) + "\n");
}

// A pipe can be read but once.
TEST_F(ShareCommand, TakesADesignFromAPipe)
{
    const std::string tiny = shellWord(FLOPSMITH_TINY_MODEL);
    const Answer piped = shell("cat " + tiny + " | flopsmith share /dev/stdin");

    EXPECT_EQ(piped.code, 0) << piped.error;
    EXPECT_THAT(piped.out, StartsWith("FS1."));
    EXPECT_EQ(ask("cost " + withoutLineEnd(piped.out)).out, ask("cost " + tiny).out);
}

TEST_F(ShareCommand, AFileMayBeCalledLikeACode)
{
    file("FS1.flopsmith", text(FLOPSMITH_TINY_MODEL));

    const Answer asked = ask("cost FS1.flopsmith");
    EXPECT_EQ(asked.code, 0) << asked.error;
    expectRefusal("cost FS1.flopsmith --set nosuch=1", "FS1.flopsmith: ");
}

TEST_F(ShareCommand, ThePageIsOneOfTheWindow)
{
    EXPECT_NE(codeOf("tiny --page memory"), codeOf("tiny"));
    EXPECT_EQ(ask("cost " + codeOf("tiny --page memory")).out, ask("cost tiny").out);
    EXPECT_EQ(ask("share tiny --page nowhere").code, 2);
}

TEST_F(ShareCommand, WrongCodesAreOneSentence)
{
    std::string code = codeOf(kWider);
    expectRefusal("cost " + code.substr(0, code.size() - 4), "cut short");
    expectRefusal("cost FS2.AAAA", "version FS2");
    code[code.size() - 2] = code[code.size() - 2] == 'A' ? 'B' : 'A';
    expectRefusal("cost " + code, "checksum");
    expectRefusal("share " + code, "checksum");
}

TEST_F(ShareCommand, ACodeIsCheckedLikeAFile)
{
    EXPECT_THAT(ask("check " + codeOf("tiny")).out, HasSubstr("ok, share code"));
}

TEST_F(ShareCommand, ThePictureIsOfTheLink)
{
    const std::string link = withoutLineEnd(ask("share tiny --link").out);
    EXPECT_EQ(link, "flopsmith:" + codeOf("tiny"));

    EXPECT_EQ(codeOf("tiny --qr code.svg"), codeOf("tiny"));
    EXPECT_THAT(text(folder / "code.svg"), StartsWith("<svg "));
    EXPECT_EQ(codeOf("tiny --qr code.png"), codeOf("tiny"));
    EXPECT_THAT(text(folder / "code.png"), StartsWith("\x89PNG"));
    const Answer shown = ask("share tiny --qr -");
    EXPECT_EQ(shown.code, 0);
    EXPECT_THAT(shown.out, testing::EndsWith("\n" + codeOf("tiny") + "\n"));
    EXPECT_GT(std::count(shown.out.begin(), shown.out.end(), '\n'), 15);
}

TEST_F(ShareCommand, APictureOfAnotherKindIsRefused)
{
    expectRefusal("share tiny --qr code.gif", ".svg or .png");
    expectRefusal("share tiny --qr missing/code.svg", "missing/code.svg");
    EXPECT_EQ(files(), 0);
}

TEST_F(ShareCommand, WithoutADisplayTheWindowSaysSoOfACode)
{
    const Answer answer =
        shell("unset DISPLAY WAYLAND_DISPLAY QT_QPA_PLATFORM; flopsmith " + codeOf("tiny"));

    EXPECT_EQ(answer.code, 3);
    EXPECT_THAT(answer.error, HasSubstr("no display"));
    expectRefusal("FS1.AAAA", "cut short");
}

} // namespace
} // namespace flopsmith
