// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/json_text.h"
#include "tests/app/commands/command_test.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>
#include <vector>

// Heat maps and Pareto fronts on the command line.
namespace flopsmith {
namespace {

using testing::HasSubstr;

class StudyCharts : public Commands
{
protected:
    void expectWrongWords(const std::string& arguments, const std::string& expected) const
    {
        const Answer answer = ask(arguments);
        EXPECT_EQ(answer.code, 2) << arguments;
        EXPECT_THAT(answer.error, HasSubstr(expected));
        EXPECT_EQ(files(), 0);
    }

    // The lines of a CSV file below its comments and heading, without line ends.
    std::vector<std::string> rows(const char* name) const
    {
        std::istringstream lines(text(folder / name));
        std::vector<std::string> rows;
        for (std::string line; std::getline(lines, line);) {
            line.erase(line.find_last_not_of("\r\n") + 1);
            if (!line.empty() && line.front() != '#') {
                rows.push_back(line);
            }
        }
        rows.erase(rows.begin());
        return rows;
    }
};

TEST_F(StudyCharts, AHeatMapHasTheNumbersOfTheSweep)
{
    const std::string axes = "--axis 'd_model=768,1536' --axis 'seq=128..1024 x2'";
    ASSERT_EQ(ask("chart gpt2 --kind heat " + axes + " -o h.csv").code, 0);
    const Answer swept = ask("sweep gpt2 " + axes + " --metric flops,params --format json");
    ASSERT_EQ(swept.code, 0) << swept.error;

    const std::vector<std::string> cells = rows("h.csv");
    const Json points = ownJson(swept.out);
    ASSERT_EQ(cells.size(), points.size());
    for (const Json& point : points) {
        const std::string row = jsonText(point.at("d_model")) + "," + jsonText(point.at("seq"))
            + "," + jsonText(point.at("flops")) + ",";
        EXPECT_THAT(cells, testing::Contains(row));
    }
}

TEST_F(StudyCharts, ATiedParameterIsNoAxis)
{
    Json project = ownJson(text(FLOPSMITH_TINY_MODEL));
    project["model"]["blocks"][0]["ffn"]["d_ff"] = 2 * project["model"]["d_model"].get<int>();
    project["rules"]["ties"]["blocks[0].ffn.d_ff"] = "2*d_model";
    std::ofstream(folder / "tied.flopsmith") << jsonText(project);

    const std::string chart = "chart tied.flopsmith --kind heat --axis d_model=64,128 ";
    expectRefusal(chart + "--axis d_ff=128,256 -o h.csv", "the project has the tie d_ff = ");
    EXPECT_EQ(ask(chart + "--axis layers=2,4 -o h.csv").code, 0);

    const std::string curves = "chart tied.flopsmith --kind scaling ";
    expectRefusal(curves + "--axis d_ff=128,256 -o s.csv", "the project has the tie d_ff = ");
    EXPECT_EQ(ask(curves + "--axis d_model=64,128 -o s.csv").code, 0);

    const Answer swept = ask("sweep tied.flopsmith --axis d_model=64,128 --axis layers=2,4 "
                             "--tie d_ff=2*d_model --metric flops --format json");
    ASSERT_EQ(swept.code, 0) << swept.error;
    const std::vector<std::string> cells = rows("h.csv");
    for (const Json& point : ownJson(swept.out)) {
        EXPECT_THAT(cells,
                    testing::Contains(testing::StartsWith(jsonText(point.at("d_model")) + ","
                                                          + jsonText(point.at("layers")) + ","
                                                          + jsonText(point.at("flops")))));
    }
}

TEST_F(StudyCharts, AFrontMarksTheWinnersOfTheSweep)
{
    const std::string axes = "--axis 'd_model=768,1536' --axis layers=6,12,24 ";
    ASSERT_EQ(ask("chart gpt2 --kind pareto " + axes + "--pareto flops,+params -o p.csv").code, 0);
    const Answer swept = ask("sweep gpt2 " + axes + "--pareto flops,+params --format json");
    ASSERT_EQ(swept.code, 0) << swept.error;

    std::size_t winners = 0;
    for (const std::string& row : rows("p.csv")) {
        winners += row.ends_with(",true") ? 1 : 0;
    }
    std::size_t expected = 0;
    for (const Json& point : ownJson(swept.out)) {
        expected += point.at("pareto").get<bool>() ? 1 : 0;
    }
    EXPECT_GT(winners, 0U);
    EXPECT_EQ(winners, expected);
}

TEST_F(StudyCharts, BothAreDrawnInEveryFormat)
{
    for (const char* kind : {"heat", "pareto"}) {
        for (const char* suffix : {".svg", ".pdf", ".png", ".csv", ".tex"}) {
            const std::string name = kind + std::string(suffix);
            const Answer answer = ask("chart gpt2 --kind " + std::string(kind) + " -o " + name);
            EXPECT_EQ(answer.code, 0) << answer.error;
            EXPECT_GT(fs::file_size(folder / name), 300U) << name;
        }
    }
}

TEST_F(StudyCharts, WrongAxesAreRefusedInOneSentence)
{
    expectWrongWords("chart gpt2 --kind heat --axis seq=128,256 -o x.svg", "two axes");
    expectWrongWords("chart gpt2 --kind scaling --axis seq=1,2 --axis layers=1,2 -o x.svg",
                     "one --axis");
    const std::string heat = "chart gpt2 --kind heat -o x.svg --axis layers=6,12 --axis ";
    expectRefusal(heat + "'seq=1..1000000000:step 1'", "seq");
    expectRefusal(heat + "'vocab=2..100000:step 1'", "larger step");
    expectRefusal(heat + "'seq=1..200:step 1'", "at most 100 values");
    expectRefusal(heat + "sqe=1,2", "sqe");
    expectRefusal(heat + "layers=3,4", "two different parameters");
    expectRefusal("chart gpt2 --kind heat --metric cake -o x.svg", "cake");
    expectRefusal("chart gpt2 --kind heat --metric time -o x.svg", "measured");
    expectRefusal("chart gpt2 --kind heat --metric energy_joules -o x.svg", "--hardware");
    expectRefusal("chart gpt2 --kind pareto --pareto flops -o x.svg", "two metrics");
    expectRefusal("chart gpt2 --kind pareto --pareto flops,cake -o x.svg", "cake");
    EXPECT_EQ(files(), 0);
}

} // namespace
} // namespace flopsmith
