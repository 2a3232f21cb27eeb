// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/json_text.h"
#include "tests/app/commands/command_test.h"

// Sweeps and searches from the command line.
namespace flopsmith {
namespace {

TEST_F(Commands, ASweepIsWrittenWhileItIsComputed)
{
    const Answer answer =
        ask("sweep tiny --axis 'seq=1..1000:step 1' --metric flops --format csv -o sweep.csv");

    EXPECT_EQ(answer.code, 0) << answer.error;
    EXPECT_EQ(answer.out, "");
    const std::string csv = text(folder / "sweep.csv");
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1001);
    EXPECT_EQ(csv.substr(0, 18), "seq,flops,problem\r");
    EXPECT_EQ(ask("sweep tiny --axis 'seq=1..1000:step 1' --metric flops --format csv").out, csv);
}

TEST_F(Commands, ASweepMarksItsFrontAndSaysHowItGrows)
{
    const Answer answer = ask("sweep gpt2 --axis seq=64..1024:log2 --metric flops --fit "
                              "--pareto flops,+intensity --format json");

    ASSERT_EQ(answer.code, 0) << answer.error;
    const auto rows = ownJson(answer.out);
    EXPECT_EQ(rows.at(0).at("pareto"), true); // the cheapest point
    EXPECT_NE(answer.error.find("flops grows as seq^1."), std::string::npos) << answer.error;
    expectRefusal("sweep gpt2 --axis seq=1..9 --pareto flops", "two metrics");
    expectRefusal("sweep gpt2 --axis seq=1..9 --pareto flops,watts", "no such metric");
    expectRefusal("sweep gpt2 --axis seq=1..9 --tie d_ff", "d_ff=4*d_model");
    expectRefusal("sweep gpt2 --axis 'seq=1..9999:step 1' --axis 'batch=1..99:step 1' --fit",
                  "--format csv");
}

TEST_F(Commands, ASweepJudgesWidthsAfterTheirTies)
{
    const Answer answer =
        ask("sweep gpt2 --axis d_model=256..1024:log2 --tie 'heads=d_model/64' --metric params "
            "--format json");
    ASSERT_EQ(answer.code, 0) << answer.error;
    const Json rows = ownJson(answer.out);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(answer.out.find("problem"), std::string::npos) << answer.out;
    expectRefusal("sweep gpt2 --axis d_model=256..1024:log2 --metric params", "not legal");
}

TEST_F(Commands, FindAnswersTheInverseQuestion)
{
    const Answer answer = ask("find gpt2 --largest d_model --tie 'd_ff=4*d_model' "
                              "--bound 'params<=100M' --bound 'weight_bytes<=2GiB' --format json");

    ASSERT_EQ(answer.code, 0) << answer.error;
    const auto rows = ownJson(answer.out);
    const int found = rows.at(0).at("d_model").get<int>();
    EXPECT_LE(rows.at(0).at("params").get<double>(), 100'000'000);
    EXPECT_GT(rows.at(1).at("params").get<double>(), 100'000'000);
    EXPECT_EQ(rows.at(1).at("d_model"), found + 12); // whole heads

    const Answer equal = ask("find gpt2 --value d_ff --match params=gpt2 --format json");
    EXPECT_EQ(ownJson(equal.out).at(0).at("d_ff"), 3072) << equal.error;

    expectRefusal("find gpt2", "--largest KEY");
    expectRefusal("find gpt2 --largest d_ff", "need a bound");
    expectRefusal("find gpt2 --largest d_ff --bound params", "METRIC<=NUMBER");
    expectRefusal("find gpt2 --value d_ff --match flops=nowhere", "nowhere");
    expectRefusal("find gpt2 --largest d_ff --bound 'params<=1'", "no legal value of d_ff");
}

} // namespace
} // namespace flopsmith
