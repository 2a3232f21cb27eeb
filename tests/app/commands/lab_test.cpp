// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_handle.h"
#include "tests/app/commands/command_test.h"

#include <fcntl.h>
#include <sys/file.h>

namespace flopsmith {
namespace {

class LabCommand : public Commands
{
protected:
    // Trains in no time.
    static std::string tinyRun(const std::string& more)
    {
        return "lab run --task facts --set facts=16 --set classes=4 --set batch=8 --arms dense "
               "--seeds 2 --steps 4 --no-tuning "
            + more;
    }
};

TEST_F(LabCommand, ListsTasksAndArms)
{
    EXPECT_NE(ask("lab tasks").out.find("teacher"), std::string::npos);
    EXPECT_NE(ask("lab").out.find("regression"), std::string::npos);
    EXPECT_NE(ask("lab tasks --arms").out.find("token_feedback"), std::string::npos);
    EXPECT_NE(ask("lab --help").out.find("verdict"), std::string::npos);
}

TEST_F(LabCommand, TrainsShowsAndJudges)
{
    const Answer trained = ask(tinyRun("-o l.jsonl"));
    ASSERT_EQ(trained.code, 0) << trained.error;
    EXPECT_NE(trained.out.find("accuracy at equal steps (4), at the ends of the runs."),
              std::string::npos)
        << trained.out;
    EXPECT_NE(trained.out.find("dense: "), std::string::npos);

    EXPECT_EQ(ask("lab verdict l.jsonl").out, trained.out);
    EXPECT_NE(ask("lab verdict l.jsonl --view flops").out.find("equal FLOPs"), std::string::npos);

    const Answer shown = ask("lab show l.jsonl --format json");
    ASSERT_EQ(shown.code, 0) << shown.error;
    EXPECT_NE(shown.out.find("\"linear\""), std::string::npos);
    const std::string points = ask("lab show l.jsonl --format csv").out;
    EXPECT_EQ(points.find("arm,seed,lr,step,tokens,flops,seconds,train_loss,val_loss,accuracy,"),
              0U)
        << points;
    EXPECT_NE(points.find("dense,1,0.003,4,32,"), std::string::npos) << points;
    EXPECT_EQ(ask("lab show l.jsonl --what points --format csv").out, points);
    EXPECT_EQ(ask("lab show l.jsonl --what results --format csv").out.find("arm,role"), 0U);
}

TEST_F(LabCommand, DrawsWhatALogSays)
{
    ASSERT_EQ(ask(tinyRun("-o l.jsonl")).code, 0);

    for (const char* options : {"", "--view flops", "--kind bars", "--view seconds --theme dark"}) {
        const Answer drawn = ask("lab chart l.jsonl -o l.svg " + std::string(options));
        ASSERT_EQ(drawn.code, 0) << drawn.error;
        EXPECT_NE(text(folder / "l.svg").find("dense"), std::string::npos);
    }
    expectRefusal("lab chart l.jsonl --kind rates -o r.svg", "same rate");
    expectRefusal("lab chart l.jsonl -o l.doc", "svg");
    expectRefusal("lab chart nowhere.jsonl -o l.svg", "nowhere.jsonl");
}

TEST_F(LabCommand, TrainsSideBySideOrByTheReference)
{
    ASSERT_EQ(ask(tinyRun("-o two.jsonl --jobs 2")).code, 0);
    ASSERT_EQ(ask(tinyRun("-o slow.jsonl --reference")).code, 0);
    EXPECT_NE(text(folder / "slow.jsonl").find("reference kernels"), std::string::npos);
    expectRefusal(tinyRun("-o x.jsonl --jobs 0"), "--jobs");
    expectRefusal(tinyRun("-o x.jsonl --device nobody"), "nobody");
    expectRefusal("lab distil --steps 2 --log x.jsonl --device nobody", "nobody");
    EXPECT_FALSE(fs::exists(folder / "x.jsonl"));
    expectRefusal(tinyRun("-o y.jsonl --worker /nowhere/train"), "/nowhere/train");
}

TEST_F(LabCommand, GoesOnWithALogOfTheSameLab)
{
    ASSERT_EQ(ask(tinyRun("-o l.jsonl")).code, 0);
    const std::string log = text(folder / "l.jsonl");

    EXPECT_EQ(ask("lab run -o l.jsonl").code, 0);
    EXPECT_EQ(ask(tinyRun("-o l.jsonl")).code, 0);
    EXPECT_EQ(text(folder / "l.jsonl"), log);

    expectRefusal("lab run --task facts -o l.jsonl", "another lab");
    expectRefusal("lab run --seeds 3 -o l.jsonl", "--task");
    EXPECT_EQ(text(folder / "l.jsonl"), log);
}

TEST_F(LabCommand, GoesOnWithOthersWhereAnArmDiverges)
{
    const Answer trained =
        ask("lab run --task facts --set facts=64 --set classes=4 --set batch=16 --arms dense,gated "
            "--seeds 2 --steps 60 --no-tuning --rate 10 -o l.jsonl");

    EXPECT_EQ(trained.code, 4) << trained.error;
    EXPECT_NE(trained.out.find("diverged"), std::string::npos) << trained.out;
    EXPECT_NE(ask("lab show l.jsonl --what results --format csv").out.find("none,control,10,1,"),
              std::string::npos);
    EXPECT_EQ(ask("lab run -o l.jsonl").code, 4);
}

TEST_F(LabCommand, SaysWhereABudgetBuysNoStep)
{
    const std::string run = "lab run --task facts --set facts=16 --set classes=4 --set batch=8 "
                            "--arms dense --seeds 1 --no-tuning ";

    const Answer none = ask(run + "--flops 10 -o none.jsonl");
    EXPECT_EQ(none.code, 0) << none.error;
    EXPECT_NE(none.error.find("dense: its only step needs more FLOPs"), std::string::npos)
        << none.error;
    EXPECT_EQ(ask(run + "--flops 1e7 -o some.jsonl").error.find("more FLOPs"), std::string::npos);
}

TEST_F(LabCommand, SaysThatTheTextChanged)
{
    const std::string lab = "lab run --task text --text a.txt --set seq=4 --set batch=2 "
                            "--set test=2 --arms dense --seeds 1 --steps 2 --no-tuning";
    const auto write = [&](const std::string& word) {
        std::string text;
        for (int i = 0; i < 2'000; ++i) {
            text += word + " ";
        }
        file("a.txt", text);
    };
    write("abc");
    ASSERT_EQ(ask(lab + " -o l.jsonl").code, 0);
    const std::string whole = text(folder / "l.jsonl");
    file("part.jsonl", whole.substr(0, whole.find('\n') + 1));
    write("bcd");

    expectRefusal(lab + " -o l.jsonl", "other data");
    expectRefusal("lab run -o part.jsonl", "a.txt");
}

TEST_F(LabCommand, CoolsDownForSeveralViews)
{
    const std::string views = "lab run --task facts --set facts=16 --arms spectral --seeds 2 "
                              "--steps 20 --no-tuning --views flops,seconds -o l.jsonl";
    ASSERT_EQ(ask(views).code, 0);
    EXPECT_NE(ask("lab verdict l.jsonl --view flops").out.find("cools down for this view"),
              std::string::npos);
    EXPECT_EQ(ask(views).code, 0);
    EXPECT_NE(ask("lab show l.jsonl --format csv").out.find(",flops\r\n"), std::string::npos);
    expectRefusal(tinyRun("--views metres -o m.jsonl"), "--views metres");
    expectRefusal("lab run --views flops -o l.jsonl", "--task");
}

TEST_F(LabCommand, Distils)
{
    const std::string distil = "lab distil --d 8 --steps 6 --seeds 1 --arms dense,spectral ";
    const Answer dense = ask(distil + "--ratios 1,4 --format csv");
    ASSERT_EQ(dense.code, 0) << dense.error;
    EXPECT_NE(dense.out.find("dense,1,1,"), std::string::npos) << dense.out;
    EXPECT_NE(dense.out.find("dense,4,"), std::string::npos) << dense.out;
    EXPECT_NE(dense.out.find("linear,,"), std::string::npos) << dense.out;
    const Answer gated = ask(distil + "--ratios 1 --teacher gated --log d.jsonl");
    ASSERT_EQ(gated.code, 0) << gated.error;
    EXPECT_EQ(ask(distil + "--ratios 1 --teacher gated --log d.jsonl").out, gated.out);
    EXPECT_EQ(files(), 1);

    const Answer cheap = ask(distil + "--ratios 64");
    EXPECT_NE(cheap.error.find("dense: even its smallest FFN needs more than 1/64"),
              std::string::npos)
        << cheap.error;
    EXPECT_EQ(dense.error.find("smallest"), std::string::npos) << dense.error;

    expectRefusal(distil + "--teacher nowhere", "nowhere");
    expectRefusal(distil + "--ratios one", "--ratios one");
    expectRefusal(distil + "--ratios 0", "ratios");
    expectRefusal(distil + "--arms magic", "magic");
}

TEST_F(LabCommand, MergesLogsOfTheSameLab)
{
    ASSERT_EQ(ask(tinyRun("-o l.jsonl")).code, 0);
    const std::string whole = text(folder / "l.jsonl");
    const std::string begun = whole.substr(0, whole.find("\"end\""));
    file("part.jsonl", begun.substr(0, begun.rfind('\n') + 1));

    const Answer merged = ask("lab merge part.jsonl l.jsonl -o m.jsonl");
    ASSERT_EQ(merged.code, 0) << merged.error;
    EXPECT_NE(merged.error.find("6 of 6 runs are done"), std::string::npos) << merged.error;
    EXPECT_EQ(ask("lab verdict m.jsonl").out, ask("lab verdict l.jsonl").out);

    EXPECT_EQ(ask("lab merge part.jsonl -o -").error.find("to continue"), std::string::npos);
    EXPECT_NE(ask("lab merge part.jsonl -o 'my log'")
                  .error.find("to continue: flopsmith lab run -o 'my log'"),
              std::string::npos);
    const Answer refused = ask("lab merge part.jsonl -o nowhere/n.jsonl");
    EXPECT_EQ(refused.errorLines(), 1) << refused.error;
    ASSERT_EQ(ask("lab merge part.jsonl -o n.jsonl").code, 0);
    EXPECT_EQ(ask("lab run -o n.jsonl").code, 0);
    EXPECT_EQ(ask("lab verdict n.jsonl").out, ask("lab verdict l.jsonl").out);

    expectRefusal("lab merge nowhere.jsonl -o x.jsonl", "nowhere.jsonl");
    ASSERT_EQ(ask("lab run --task facts --set facts=16 --set classes=4 --arms dense --seeds 1 "
                  "--steps 2 --no-tuning -o other.jsonl")
                  .code,
              0);
    expectRefusal("lab merge l.jsonl other.jsonl -o x.jsonl", "different labs");
}

TEST_F(LabCommand, MergesIntoALogThatNobodyWrites)
{
    ASSERT_EQ(ask(tinyRun("-o l.jsonl")).code, 0);
    const std::string whole = text(folder / "l.jsonl");
    const std::string begun = whole.substr(0, whole.find('\n') + 1);
    file("target.jsonl", begun);
    {
        const FileHandle writer(::open((folder / "target.jsonl").c_str(), O_RDWR | O_CLOEXEC));
        ASSERT_EQ(::flock(writer.descriptor(), LOCK_EX | LOCK_NB), 0);

        expectRefusal("lab merge l.jsonl -o target.jsonl", "another run");
        expectRefusal("lab summary l.jsonl -o target.jsonl", "another run");
        EXPECT_EQ(text(folder / "target.jsonl"), begun);
    }

    const Answer merged = ask("lab merge l.jsonl -o target.jsonl");
    ASSERT_EQ(merged.code, 0) << merged.error;
    EXPECT_EQ(merged.out, "");
    EXPECT_NE(merged.error.find("6 of 6 runs are done"), std::string::npos) << merged.error;
    EXPECT_EQ(ask("lab merge l.jsonl -o -").out, text(folder / "target.jsonl"));
    EXPECT_EQ(files(), 2);
}

TEST_F(LabCommand, ReadsALabFromAFile)
{
    file("a.flopsmith-lab",
         R"({"flopsmith_lab": 1, "task": {"name": "facts", "facts": 8, "classes": 2, "batch": 4},
             "sizes": {"d_model": 8, "layers": 1, "heads": 1}, "arms": ["spectral"], "seeds": 1,
             "budget": {"steps": 2}, "tune": false})");

    EXPECT_EQ(ask("lab run a.flopsmith-lab -o l.jsonl").code, 0);
    expectRefusal("lab run nowhere.flopsmith-lab -o m.jsonl", "nowhere.flopsmith-lab");
    file("b.flopsmith-lab", R"({"flopsmith_lab": 1, "task": {"name": "chess"}, "arms": []})");
    expectRefusal("lab run b.flopsmith-lab -o m.jsonl", "chess");
}

TEST_F(LabCommand, LearnsAnotherTextThanItsFileNames)
{
    std::string words;
    for (int i = 0; i < 2'000; ++i) {
        words += "abc ";
    }
    file("other.txt", words);
    file("a.flopsmith-lab",
         R"({"flopsmith_lab": 1, "task": {"name": "text", "file": "a.txt", "sha256": ")"
             + std::string(64, 'a') + R"(", "seq": 4, "batch": 2, "test": 2},
             "sizes": {"d_model": 8, "layers": 1, "heads": 1}, "arms": ["dense"], "seeds": 1,
             "budget": {"steps": 2}, "tune": false})");

    const Answer trained = ask("lab run a.flopsmith-lab --text other.txt -o l.jsonl");

    EXPECT_EQ(trained.code, 0) << trained.error;
    EXPECT_NE(text(folder / "l.jsonl").find("other.txt"), std::string::npos);
}

TEST_F(LabCommand, RefusesInOneSentence)
{
    expectRefusal("lab run --task chess -o l.jsonl", "chess");
    expectRefusal("lab run --task facts --arms magic -o l.jsonl", "magic");
    expectRefusal("lab run --task facts --set colour=3 -o l.jsonl", "colour");
    expectRefusal("lab run --task facts --set batch -o l.jsonl", "NUMBER=VALUE");
    expectRefusal("lab run --task facts --seeds 0 -o l.jsonl", "seeds");
    expectRefusal("lab run --task facts --rate 99 -o l.jsonl", "base_rate");
    expectRefusal("lab run --task facts --flops 0 -o l.jsonl", "--flops");
    expectRefusal("lab run --task text --text a.txt -o l.jsonl", "a.txt");
    expectRefusal("lab run --task facts --text a.txt -o l.jsonl", "--text");
    expectRefusal("lab run -o l.jsonl", "l.jsonl does not exist; to begin it, name");
    expectRefusal("lab show nowhere.jsonl", "nowhere.jsonl");
    expectRefusal("lab sample nowhere.safetensors", "nowhere.safetensors");
    EXPECT_EQ(ask("lab run --task facts").code, 2);
    EXPECT_EQ(ask("lab run --task facts --steps 3 --flops 5 -o l.jsonl").code, 2);
    EXPECT_NE(ask("lab run --task facts --torch python3 -o l.jsonl").error.find("--engine"),
              std::string::npos);
    for (const char* option : {"--preset small", "--mixer fourier", "--precision float64"}) {
        const Answer refused = ask("lab run a.flopsmith-lab -o l.jsonl " + std::string(option));
        EXPECT_EQ(refused.code, 2) << option;
        EXPECT_NE(refused.error.find("--task"), std::string::npos) << refused.error;
    }
    EXPECT_EQ(files(), 0);
}

} // namespace
} // namespace flopsmith
