// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/wire/line_splitter.h"

#include <gtest/gtest.h>

#include <vector>

namespace flopsmith {
namespace {

using Line = LineSplitter::Line;

std::vector<Line> linesOf(LineSplitter& splitter)
{
    std::vector<Line> lines;
    while (auto line = splitter.next()) {
        lines.push_back(*line);
    }
    return lines;
}

TEST(LineSplitter, PiecesOfAnySizeGiveTheSameLines)
{
    const std::string stream = "one\ntwo\r\n\nfour\nrest";
    for (std::size_t size = 1; size <= stream.size(); ++size) {
        LineSplitter splitter;
        for (std::size_t at = 0; at < stream.size(); at += size) {
            splitter.add(std::string_view(stream).substr(at, size));
        }

        EXPECT_EQ(linesOf(splitter), (std::vector<Line>{{"one"}, {"two"}, {""}, {"four"}}));
        EXPECT_EQ(splitter.rest(), Line{"rest"});
        EXPECT_EQ(splitter.rest(), std::nullopt);
    }
}

TEST(LineSplitter, ATooLongLineIsReportedOnceAndTheNextIsWhole)
{
    LineSplitter splitter(4);
    splitter.add("123");
    splitter.add("45");
    splitter.add("6789\n1234\n12345\nab");

    EXPECT_EQ(linesOf(splitter), (std::vector<Line>{{"", true}, {"1234"}, {"", true}}));
    EXPECT_EQ(splitter.rest(), Line{"ab"});
}

} // namespace
} // namespace flopsmith
