// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/commands/command_test.h"

namespace flopsmith {
namespace {

class LatexDocuments : public Commands
{
protected:
    /// What typesets a file, or empty if nothing is installed.
    std::string typesetter() const
    {
        for (const std::string program : {"pdflatex", "tectonic"}) {
            if (shell("command -v " + program).code == 0) {
                return program == "pdflatex"
                    ? "pdflatex -interaction=nonstopmode -halt-on-error -no-shell-escape "
                    : "tectonic --untrusted ";
            }
        }
        return {};
    }

    void expectTypeset(const std::string& arguments, const std::string& name) const
    {
        ASSERT_EQ(ask(arguments + " -o " + name + ".tex").code, 0);
        const Answer set = shell(typesetter() + name + ".tex");
        EXPECT_EQ(set.code, 0) << arguments << "\n" << set.out << set.error;
        EXPECT_EQ(text(folder / (name + ".pdf")).substr(0, 5), "%PDF-") << arguments;
    }
};

TEST_F(LatexDocuments, AreTypeset)
{
    if (typesetter().empty()) {
        GTEST_SKIP() << "neither pdflatex nor tectonic is installed";
    }
    expectTypeset("report gpt2 --lens matmul", "report");
    for (const char* lesson : {"where-flops-go", "attention-overtakes", "the-promise"}) {
        expectTypeset("lesson handout " + std::string(lesson), "english");
        expectTypeset("lesson handout " + std::string(lesson) + " --language de --teacher",
                      "german");
    }
}

} // namespace
} // namespace flopsmith
