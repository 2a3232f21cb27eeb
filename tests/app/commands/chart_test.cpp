// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/commands/command_test.h"
#include "tests/support/file_size_limit.h"

#include <gmock/gmock.h>

// Charts from the command line.
namespace flopsmith {
namespace {

TEST_F(Commands, AFullDiskLeavesTheOldChart)
{
    for (const char* name : {"a.csv", "a.tex", "a.svg"}) {
        file(name, "old");
        const test::FileSizeLimit full(300);

        expectRefusal("chart gpt2 --kind share -o " + std::string(name), "cannot be written");

        EXPECT_EQ(text(folder / name), "old") << name;
    }
}

TEST_F(Commands, ARooflineShowsThisMachinesOwnRoofsBesideThoseOfADataSheet)
{
    const std::string chart = "chart tiny --seq 8 --kind roofline --device 'this CPU' --budget 0.5";
    ASSERT_EQ(ask(chart + " -o own.svg").code, 0);
    ASSERT_EQ(ask(chart + " --hardware l4 -o both.svg").code, 0);

    const std::string own = text(folder / "own.svg");
    const std::string both = text(folder / "both.svg");
    EXPECT_NE(own.find("dashed roofs: measured on this CPU"), std::string::npos);
    EXPECT_NE(both.find("dashed roofs: measured on this CPU"), std::string::npos);
    EXPECT_EQ(own.find("data sheet"), std::string::npos);
    EXPECT_NE(both.find("data sheet of NVIDIA L4"), std::string::npos);
}

TEST_F(Commands, MeasuredCurvesNameTheProcessorAndTheDay)
{
    ASSERT_EQ(
        ask("chart tiny --kind scaling --axis seq=8,16 --measured --budget 0.5 -o s.svg").code, 0);

    const std::string drawn = text(folder / "s.svg");
    EXPECT_EQ(drawn.find("this CPU \u00B7"), std::string::npos);
    EXPECT_THAT(drawn, testing::ContainsRegex("20[0-9][0-9]-[0-9]+-[0-9]+ \u00B7 Flopsmith"));
}

TEST_F(Commands, ChartsOfTheScalingCurveHaveTextAndNoImage)
{
    ASSERT_EQ(ask("chart gpt2 --kind scaling --axis seq=128..8192:log2 -o s.svg").code, 0);
    ASSERT_EQ(ask("chart gpt2 --kind waterfall --from mac --lens fvcore -o w.svg").code, 0);

    const std::string svg = text(folder / "s.svg");
    EXPECT_NE(svg.find("<text"), std::string::npos);
    EXPECT_EQ(svg.find("<image"), std::string::npos);
    EXPECT_NE(svg.find("viewBox"), std::string::npos);
}

TEST_F(Commands, AChartHasTheWidthAndTypeThatWereAskedFor)
{
    ASSERT_EQ(ask("chart gpt2 --kind share -o usual.svg").code, 0);
    ASSERT_EQ(ask("chart gpt2 --kind share --width 720px --type-size 9.75 -o same.svg").code, 0);
    ASSERT_EQ(ask("chart gpt2 --kind share --width 85mm --type-size 7 -o column.svg").code, 0);
    ASSERT_EQ(ask("chart gpt2 --kind share --width 85mm --type-size 7 -o column.tex").code, 0);

    EXPECT_EQ(text(folder / "usual.svg"), text(folder / "same.svg"));
    EXPECT_THAT(text(folder / "column.svg"),
                testing::ContainsRegex("width=\"84\\.9[0-9]*mm\" height=\"51\\.[0-9]+mm\""));
    EXPECT_THAT(text(folder / "column.tex"), testing::HasSubstr("width=240.75bp"));
}

TEST_F(Commands, AChartLeavesOutItsTitleAndItsFooter)
{
    const std::string title = "Share of each component";
    ASSERT_EQ(ask("chart gpt2 --kind share --no-title --no-footer -o a.csv").code, 0);
    ASSERT_EQ(ask("chart gpt2 --kind share --no-title -o a.tex").code, 0);
    ASSERT_EQ(ask("chart gpt2 --kind share --no-title -o a.svg").code, 0);

    EXPECT_EQ(text(folder / "a.csv").find('#'), std::string::npos);
    EXPECT_EQ(text(folder / "a.tex").find(title), std::string::npos);
    EXPECT_EQ(text(folder / "a.svg").find(title + "</text>"), std::string::npos);
    EXPECT_NE(text(folder / "a.svg").find("lens exact"), std::string::npos);
}

TEST_F(Commands, AChartRefusesSizesInOneSentence)
{
    const std::string chart = "chart gpt2 --kind share -o a.svg ";

    expectRefusal(chart + "--width 10mm", "--width 10mm: expected a width of 120 to 16000 px");
    expectRefusal(chart + "--width wide", "as in 85mm");
    expectRefusal(chart + "--type-size 99", "4 to 40 points");
    expectRefusal(chart + "--width 85mm --size 300x300", "not both");
    expectRefusal(chart + "--size 3x3", "--size 3x3: expected WIDTHxHEIGHT");
}

TEST_F(Commands, MemoryAndRooflineChartsKnowTheirDevice)
{
    ASSERT_EQ(ask("chart gpt2 --kind memory --hardware h100-sxm -o m.svg").code, 0);
    ASSERT_EQ(ask("chart gpt2 --kind memory -o bare.svg").code, 0);
    ASSERT_EQ(ask("chart gpt2 --kind roofline --hardware a100-sxm-80gb -o r.svg").code, 0);

    EXPECT_NE(text(folder / "m.svg").find("NVIDIA H100"), std::string::npos);
    EXPECT_EQ(text(folder / "bare.svg").find("NVIDIA"), std::string::npos);
    EXPECT_NE(text(folder / "r.svg").find("a lower bound"), std::string::npos);

    EXPECT_EQ(ask("chart gpt2 --kind roofline -o x.svg").code, 2);
    expectRefusal("chart gpt2 --kind roofline --hardware abacus -o x.svg", "abacus");
    EXPECT_FALSE(fs::exists(folder / "x.svg"));
}

TEST_F(Commands, AChartOfTheClaimsNeedsNoModelAndTheOthersDo)
{
    for (const char* suffix : {"svg", "pdf", "png", "csv"}) {
        const std::string file = std::string("claims.") + suffix;
        EXPECT_EQ(ask("chart --kind claims --d 256 --d-ff 1024 --tokens 8 -o " + file).code, 0);
        EXPECT_GT(fs::file_size(folder / file), 1000U) << file;
    }
    EXPECT_NE(text(folder / "claims.svg").find("d_model 256"), std::string::npos);

    for (const char* wrong : {"chart gpt2 --kind claims -o x.svg", "chart --kind share -o x.svg"}) {
        const Answer answer = ask(wrong);
        EXPECT_EQ(answer.code, 2) << wrong;
        EXPECT_NE(answer.error.find("MODEL"), std::string::npos) << answer.error;
    }
    EXPECT_EQ(ask("chart --kind claims --device moon -o x.svg").code, 3);
    EXPECT_FALSE(fs::exists(folder / "x.svg"));
}

} // namespace
} // namespace flopsmith
