// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/json/json_text.h"
#include "tests/app/commands/command_test.h"

#include <gmock/gmock.h>

namespace flopsmith {
namespace {

using testing::HasSubstr;

class ReportCommand : public Commands
{
protected:
    // The total of `cost` as a report writes it.
    std::string totalOf(const std::string& model) const
    {
        const Json cost = ownJson(ask("cost " + model + " --format json").out);
        return groupedDigits(cost.at("total").at("flops").get<std::int64_t>());
    }
};

TEST_F(ReportCommand, WritesEachFormatBySuffixOrName)
{
    const std::string model = "gpt2 --lens matmul --seq 128";
    for (const char* target : {"r.html", "r.md", "r --format md"}) {
        const Answer answer = ask("report " + model + " -o " + target);

        ASSERT_EQ(answer.code, 0) << answer.error;
        const std::string name = std::string(target).substr(0, std::string(target).find(' '));
        EXPECT_THAT(text(folder / name), HasSubstr(totalOf(model))) << target;
    }
    ASSERT_EQ(ask("report " + model + " -o r.tex").code, 0);
    EXPECT_THAT(text(folder / "r.tex"), HasSubstr("\\begin{document}"));
    ASSERT_EQ(ask("report " + model + " -o r.pdf").code, 0);
    EXPECT_THAT(text(folder / "r.pdf"), HasSubstr("/Type /Page\n"));
}

TEST_F(ReportCommand, PdfHoldsItsTextWhereSomebodyCanRead)
{
    if (shell("command -v pdftotext").code != 0) {
        GTEST_SKIP() << "no pdftotext";
    }
    ASSERT_EQ(ask("report gpt2 --lens matmul -o r.pdf").code, 0);
    const Answer read = shell("pdftotext -layout r.pdf -");

    EXPECT_THAT(read.out, HasSubstr("Cost by component"));
    EXPECT_THAT(read.out, HasSubstr("H100"));
}

TEST_F(ReportCommand, TakesItsDeviceAndItsParameters)
{
    const std::string given = "gpt2 --lens mac --set d_ff=1024";
    ASSERT_EQ(ask("report " + given + " --hardware a100-sxm-80gb -o r.md").code, 0);

    EXPECT_THAT(text(folder / "r.md"), HasSubstr("NVIDIA A100 SXM 80 GB"));
    EXPECT_THAT(text(folder / "r.md"), HasSubstr(totalOf(given)));
}

TEST_F(ReportCommand, RefusesInOneSentence)
{
    expectRefusal("report gpt2 -o r.docx", "r.docx has the suffix .docx; a report can be .pdf");
    expectRefusal("report gpt2 -o r", "r has no suffix");
    expectRefusal("report gpt2 -o -", "a report is a file");
    expectRefusal("report nosuch -o r.pdf", "nosuch");
    expectRefusal("report gpt2 --hardware nosuch -o r.pdf", "nosuch");
    EXPECT_EQ(files(), 0);
}

} // namespace
} // namespace flopsmith
