// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/torch/template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith::torch {
namespace {

using testing::HasSubstr;

TemplateContext context()
{
    return {.values = {{"bias", FieldValue(true)},
                       {"sinks", FieldValue(false)},
                       {"basis", FieldValue(std::string("monomial"))},
                       {"window", FieldValue(std::int64_t{0})},
                       {"soft_cap", FieldValue(30.0)}},
            .names = {{"NAME", "Spectral2"}, {"QK_NORM", "RMSNorm"}}};
}

std::string textOf(const std::string& text)
{
    const Result<std::string> result = rendered(text, context(), "dense.py");
    return result ? *result : "error: " + result.error().message;
}

// What remains of "pass  #? condition" after a first line.
bool isKept(const std::string& condition)
{
    const std::string text = textOf("def f():\n    pass  #? " + condition + "\n");
    EXPECT_TRUE(text == "def f():\n" || text == "def f():\n    pass\n") << text;
    return text != "def f():\n";
}

TEST(Template, LeavesOutWhatServesEditors)
{
    EXPECT_EQ(textOf("# licence\nimport torch\n\n\nclass A:\n    pass\n\n\n"),
              "class A:\n    pass\n");
}

TEST(Template, ReadsFlagsNumbersAndChoices)
{
    EXPECT_TRUE(isKept("bias"));
    EXPECT_FALSE(isKept("sinks"));
    EXPECT_FALSE(isKept("window"));
    EXPECT_TRUE(isKept("soft_cap"));
    EXPECT_TRUE(isKept("soft_cap == 30"));
    EXPECT_FALSE(isKept("window != 0"));
    EXPECT_TRUE(isKept("basis == monomial"));
    EXPECT_TRUE(isKept("basis != chebyshev"));
    EXPECT_TRUE(isKept("bias == true"));
}

TEST(Template, JoinsConditions)
{
    EXPECT_TRUE(isKept("not sinks and bias"));
    EXPECT_TRUE(isKept("sinks or bias and soft_cap"));
    EXPECT_FALSE(isKept("(sinks or bias) and window"));
    EXPECT_TRUE(isKept("not (sinks or window)"));
}

TEST(Template, KeepsTheFirstBranchThatHolds)
{
    const std::string text = "def f():\n"
                             "#if sinks\n    a\n"
                             "    #elif bias\n    b\n"
                             "#elif soft_cap\n    c\n"
                             "#else\n    d\n"
                             "#endif\n    e\n";

    EXPECT_EQ(textOf(text), "def f():\n    b\n    e\n");
}

TEST(Template, NestsBranches)
{
    const std::string text = "def f():\n"
                             "#if sinks\n"
                             "#if bias\n    a\n#else\n    b\n#endif\n"
                             "#else\n"
                             "#if bias\n    c\n#else\n    d\n#endif\n"
                             "#endif\n";

    EXPECT_EQ(textOf(text), "def f():\n    c\n");
}

TEST(Template, GivesNamesAndLeavesPythonsOwnAlone)
{
    EXPECT_EQ(textOf("class __NAME__Step(__QK_NORM__):\n    super().__init__(__NAME__)\n"),
              "class Spectral2Step(RMSNorm):\n    super().__init__(Spectral2)\n");
}

TEST(Template, JoinsParametersThatFitOnALine)
{
    EXPECT_EQ(textOf("class A:\n    def __init__(\n        self,\n        d,  #? bias\n"
                     "        w,  #? window\n    ):\n        pass\n"),
              "class A:\n    def __init__(self, d):\n        pass\n");
    EXPECT_EQ(textOf("def f(\n    x,\n    w,  #? bias\n):  # [B, S, d]\n    pass\n"),
              "def f(x, w):  # [B, S, d]\n    pass\n");
    const std::string wide(96, 'w');
    EXPECT_THAT(textOf("def f(\n    " + wide + ",\n):\n    pass\n"),
                HasSubstr("def f(\n    " + wide + ",\n):\n"));
}

TEST(Template, KeepsACommentBeforeItsMark)
{
    EXPECT_EQ(textOf("def f():\n    y = x  # [B, S, d]  #? bias\n"),
              "def f():\n    y = x  # [B, S, d]\n");
}

TEST(Template, SaysWhatIsWrongAndWhere)
{
    EXPECT_EQ(textOf("def f():\n    pass  #? biass\n"),
              "error: dense.py, line 2: there is no field \"biass\"; known are basis, bias, sinks, "
              "soft_cap, window");
    EXPECT_EQ(textOf("def f():\n#if basis\n#endif\n"),
              "error: dense.py, line 2: \"basis\" is a choice; compare it by == or !=");
    EXPECT_THAT(textOf("def f():\n#if bias\n"), HasSubstr("line 2: this #if has no #endif"));
    EXPECT_THAT(textOf("def f():\n#endif\n"), HasSubstr("line 2: this #endif has no #if"));
    EXPECT_THAT(textOf("def f():\n#elif bias\n"), HasSubstr("this #elif has no #if"));
    EXPECT_THAT(textOf("def f():\n#if bias\n#else\n#else\n#endif\n"), HasSubstr("two #else"));
    EXPECT_THAT(textOf("def f():\n#if bias\n#else\n#elif bias\n#endif\n"),
                HasSubstr("comes after an #else"));
    EXPECT_THAT(textOf("def f():\n    __WIDTH__\n"), HasSubstr("nothing gives the name __WIDTH__"));
}

TEST(Template, RefusesConditionsThatAreNone)
{
    for (const char* condition : {"",
                                  "bias and",
                                  "bias ==",
                                  "== bias",
                                  "(bias",
                                  "bias)",
                                  "bias sinks",
                                  "not",
                                  "window == wide",
                                  "bias == yes",
                                  "bias = true"}) {
        EXPECT_THAT(textOf("def f():\n    pass\n#if " + std::string(condition) + "\n#endif\n"),
                    HasSubstr("error: dense.py, line 3: "))
            << condition;
    }
}

TEST(Template, ChecksBranchesThatAreNotTaken)
{
    EXPECT_THAT(textOf("def f():\n#if sinks\n#if biass\n#endif\n#endif\n"), HasSubstr("biass"));
}

} // namespace
} // namespace flopsmith::torch
