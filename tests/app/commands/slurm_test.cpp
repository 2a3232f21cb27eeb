// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/commands/command_test.h"

// Job arrays with stand-ins for Slurm's programs: squeue lists what a file says, scontrol notes what
// it is asked for, and tasks are started by hand as sbatch would start them.
namespace flopsmith {
namespace {

class SlurmCommand : public Commands
{
protected:
    SlurmCommand()
    {
        fs::create_directory(folder / "bin");
        standIn("squeue", "cat '" + (folder / "queue").string() + "' 2>/dev/null; exit 0");
        standIn("scontrol", "echo \"$@\" >>'" + (folder / "requeued").string() + "'");
        file(
            "tiny.flopsmith-lab",
            R"({"flopsmith_lab": 1, "task": {"name": "facts", "facts": 8, "classes": 2, "batch": 4},
                 "sizes": {"d_model": 8, "layers": 1, "heads": 1}, "arms": ["spectral"], "seeds": 2,
                 "budget": {"steps": 2}, "tune": false})");
    }

    void standIn(const std::string& name, const std::string& script) const
    {
        const fs::path path = folder / "bin" / name;
        std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
        fs::permissions(path, fs::perms::owner_all);
    }

    Answer withSlurm(const std::string& script) const
    {
        return shell("export PATH='" + (folder / "bin").string() + "':\"$PATH\"; " + script);
    }

    // As sbatch starts a task; further words are a shell's, in front of the script.
    Answer runTask(int task, const std::string& before = "") const
    {
        return withSlurm("export SLURM_ARRAY_TASK_ID=" + std::to_string(task)
                         + " SLURM_ARRAY_JOB_ID=17; " + before + " sh job/job.sh");
    }

    std::string stateOf(int task) const
    {
        const std::string line = text(folder / "job" / ("task-" + std::to_string(task) + ".state"));
        return line.substr(0, line.find(' '));
    }

    Answer makeLab(int tasks) const
    {
        return ask("slurm script --folder job --tasks " + std::to_string(tasks)
                   + " --time 0:20:00 --partition gpu --gpus 1 --sbatch=--account=me"
                     " -- lab run tiny.flopsmith-lab -j 1");
    }
};

TEST_F(SlurmCommand, WritesAScriptThatIsComplete)
{
    const Answer made = makeLab(3);

    ASSERT_EQ(made.code, 0) << made.error;
    EXPECT_EQ(made.out, text(folder / "job" / "job.sh"));
    for (const char* line : {"#SBATCH --array=1-3\n",
                             "#SBATCH --time=0:20:00\n",
                             "#SBATCH --partition=gpu\n",
                             "#SBATCH --gpus=1\n",
                             "#SBATCH --account=me\n",
                             "#SBATCH --signal=B:USR1@60\n",
                             "#SBATCH --requeue\n",
                             "lab run tiny.flopsmith-lab -j 1 --share \"$task/$tasks\""}) {
        EXPECT_NE(made.out.find(line), std::string::npos) << line << made.out;
    }
    EXPECT_EQ(shell("sh -n job/job.sh").code, 0);
    const Answer percent =
        ask("slurm script --folder 50%a -- lab run tiny.flopsmith-lab --no-tuning");
    EXPECT_NE(percent.out.find("/50%%a/task-%a.out"), std::string::npos) << percent.out;
}

TEST_F(SlurmCommand, ItsTasksDoALabTogether)
{
    ASSERT_EQ(makeLab(3).code, 0);
    expectRefusal("slurm collect job", "no task has a result");
    for (const int task : {1, 2, 3}) {
        const Answer run = runTask(task);
        EXPECT_EQ(run.code, 0) << run.error;
        EXPECT_EQ(stateOf(task), "done") << run.error;
    }

    const Answer status = withSlurm("flopsmith slurm status job");
    EXPECT_EQ(status.code, 0) << status.error;
    EXPECT_NE(status.error.find("3 done"), std::string::npos) << status.error;

    file("all.jsonl", "mine\n");
    expectRefusal("slurm collect job -o all.jsonl", "all.jsonl");
    EXPECT_EQ(text(folder / "all.jsonl"), "mine\n");
    std::filesystem::remove(folder / "all.jsonl");
    ASSERT_EQ(ask("slurm collect job -o all.jsonl").code, 0);
    ASSERT_EQ(ask("lab run tiny.flopsmith-lab -j 1 -o whole.jsonl").code, 0);
    EXPECT_EQ(ask("lab verdict all.jsonl").out, ask("lab verdict whole.jsonl").out);
}

TEST_F(SlurmCommand, ItsTasksDoASweepTogether)
{
    const std::string sweep = "sweep gpt2 --axis seq=128,256,384,512,640 --metric flops";
    ASSERT_EQ(ask("slurm script --folder job --tasks 2 -- " + sweep).code, 0);
    EXPECT_EQ(runTask(1).code, 0);
    const Answer part = ask("slurm collect job");
    EXPECT_NE(part.error.find("1 of 2 tasks are not done: 2"), std::string::npos) << part.error;
    EXPECT_EQ(runTask(2).code, 0);

    EXPECT_EQ(ask("slurm collect job").out, ask(sweep + " --format csv").out);
}

TEST_F(SlurmCommand, ATaskThatWasKilledGoesOn)
{
    ASSERT_EQ(makeLab(1).code, 0);
    // What kill -9 leaves behind.
    file("job/task-1.state", "running 1764277547 node3 17_1\n");
    fs::create_directory(folder / "job" / "task-1.lock");
    file("job/task-1.lock/job", "9_1\n");

    const Answer lost = withSlurm("flopsmith slurm status job --format csv");
    EXPECT_NE(lost.out.find("1,lost"), std::string::npos) << lost.out;
    file("queue", "1 RUNNING\n");
    EXPECT_NE(withSlurm("flopsmith slurm status job --format csv").out.find("1,running"),
              std::string::npos);
    EXPECT_EQ(runTask(1).code, 0); // squeue knows the holder of the lock: it is left alone
    EXPECT_EQ(stateOf(1), "running");

    file("queue", "");
    EXPECT_EQ(runTask(1).code, 0);
    EXPECT_EQ(stateOf(1), "done");
}

// Another job that waits for the lock must not find its own state overwritten.
TEST_F(SlurmCommand, ATaskWritesItsStateBeforeItReleasesItsLock)
{
    ASSERT_EQ(makeLab(1).code, 0);
    standIn("rm", "cat job/task-1.state >state-before; exec /bin/rm \"$@\"");

    EXPECT_EQ(runTask(1).code, 0);

    EXPECT_EQ(text(folder / "state-before").substr(0, 5), "done ");
    EXPECT_FALSE(fs::exists(folder / "job" / "task-1.lock"));
}

TEST_F(SlurmCommand, ASignalSavesAndAsksToBeStartedAgain)
{
    ASSERT_EQ(ask("slurm script --folder job --tasks 1 --program '"
                  + (folder / "bin/waits").string() + "' -- lab run tiny.flopsmith-lab")
                  .code,
              0);
    // Saves when it is asked to end, and says when it has begun.
    standIn("waits",
            "trap 'echo saved >saved; exit 143' TERM; echo begun >begun; "
            "while true; do sleep 0.02; done");

    const Answer answer =
        withSlurm("export SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_JOB_ID=17; sh job/job.sh & job=$!; "
                  "while [ ! -e begun ]; do sleep 0.02; done; kill -USR1 $job; wait $job");

    EXPECT_EQ(answer.code, 75) << answer.error;
    EXPECT_TRUE(fs::exists(folder / "saved"));
    EXPECT_EQ(stateOf(1), "stopped");
    EXPECT_EQ(text(folder / "requeued"), "requeue 17_1\n");
    EXPECT_FALSE(fs::exists(folder / "job" / "task-1.lock"));
}

TEST_F(SlurmCommand, SaysWhatFailed)
{
    ASSERT_EQ(ask("slurm script --folder job --tasks 2 -- lab run nowhere.flopsmith-lab").code, 0);
    EXPECT_EQ(runTask(1).code, 1);

    const Answer status = withSlurm("flopsmith slurm status job --format csv");
    EXPECT_NE(status.out.find("1,failed"), std::string::npos) << status.out;
    EXPECT_NE(status.out.find("exit code 1"), std::string::npos) << status.out;
    EXPECT_NE(status.out.find("2,missing"), std::string::npos) << status.out;
}

TEST_F(SlurmCommand, RefusesInOneSentence)
{
    expectRefusal("slurm script --folder job -- cost gpt2", "lab run");
    expectRefusal("slurm script --folder job --tasks 0 -- sweep gpt2 --axis seq=1,2", "--tasks");
    expectRefusal("slurm script --folder job -- sweep gpt2 --axis seq=1,2 -o x", "--output");
    expectRefusal("slurm status nowhere", "nowhere");
    ASSERT_EQ(makeLab(2).code, 0);
    expectRefusal("slurm script --folder job --tasks 3 -- lab run tiny.flopsmith-lab -j 1",
                  "another job");
    for (const char* request : {"{}", R"({"flopsmith_slurm_job": "x"})"}) {
        file("job/request.json", request);
        expectRefusal("slurm collect job", "request");
    }
    EXPECT_EQ(ask("slurm").code, 2);
}

} // namespace
} // namespace flopsmith
