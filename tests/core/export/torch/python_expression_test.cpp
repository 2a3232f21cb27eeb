// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/torch/python_expression.h"

#include <gtest/gtest.h>

namespace flopsmith::torch {
namespace {

using Python = PythonExpression;

TEST(PythonExpression, WritesLiteralsCallsAndLists)
{
    Python stages = Python::list();
    stages.with("", Python::call("Spectral").with("k_freq", Python::number(std::int64_t{65})));
    stages.with("", Python::call("Polynomial"));

    EXPECT_EQ(
        Python::call("Composed").with("dropout", Python::number(0.1)).with("stages", stages).text(),
        "Composed(dropout=0.1, stages=[Spectral(k_freq=65), Polynomial()])");
    EXPECT_EQ(Python::list().text(), "[]");
}

TEST(PythonExpression, BreaksWhatIsTooWideOneItemToALine)
{
    Python call = Python::call("Block");
    for (int i = 0; i < 3; ++i) {
        call.with("part" + std::to_string(i), Python::literal(std::string(30, 'x')));
    }
    const std::string value(30, 'x');

    EXPECT_EQ(call.text(4),
              "Block(\n        part0=" + value + ",\n        part1=" + value
                  + ",\n        part2=" + value + ",\n    )");
}

TEST(PythonExpression, ComparesWholeTrees)
{
    const Python one = Python::call("A").with("b", Python::list());

    EXPECT_EQ(one, Python::call("A").with("b", Python::list()));
    EXPECT_FALSE(one == Python::call("A").with("c", Python::list()));
}

TEST(PythonExpression, QuotesNamesOfStrangers)
{
    EXPECT_EQ(pythonQuoted("a \"\"\" b\\"), "a \\\"\\\"\\\" b\\\\");
    EXPECT_EQ(pythonQuoted("one\ntwo"), "one two");
}

} // namespace
} // namespace flopsmith::torch
